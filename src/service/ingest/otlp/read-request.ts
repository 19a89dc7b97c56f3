import { HttpError } from '../../http/http-error'
import { parseJson } from '../../http/parse-json'
import type { User } from '../../http/user'
import {
  type ExportRequest,
  InvalidFrameError,
  maxItems,
  readExportRequest,
  type Signal,
  TooManyItemsError,
} from './export-request'
import { jsonEncoding } from './json-encoding'
import { protobufEncoding } from './protobuf-encoding'

/** `headerProject`: the project that the request's header names, if any. */
export type OtlpContext = { user: User; isJson: boolean; headerProject: string | undefined }

/** Reads the frame of an export request. Throws an `HttpError`. */
export function readRequest<Item>(body: Uint8Array, isJson: boolean, signal: Signal<Item>): ExportRequest<Item> {
  try {
    return isJson ? readExportRequest(parseJson(body), jsonEncoding, signal) : readExportRequest(body, protobufEncoding, signal)
  } catch (error) {
    if (error instanceof TooManyItemsError) {
      const msg = `A request may hold ${maxItems} ${signal.itemNames}. Send smaller batches (${signal.batchSizeVariable}).`
      throw new HttpError('invalid', { loc: ['body'], msg, type: 'too_long' })
    }
    if (!(error instanceof InvalidFrameError)) throw error
    if (isJson) throw new HttpError('invalid', { loc: [...error.loc], msg: error.message, type: 'value_error' })
    const msg = `The body is not an ${signal.requestName} of OTLP in protobuf. ${error.message}`
    throw new HttpError('invalid', { loc: ['body'], msg, type: 'protobuf_invalid' })
  }
}
