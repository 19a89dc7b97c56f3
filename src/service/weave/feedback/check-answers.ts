import * as z from 'zod/mini'
import { type AnnotationSpec, parseAnnotationSpec } from '../../../contract/annotation-spec'
import { findFieldProblem, type FieldProblem } from '../../../contract/field-schema'
import { truncate } from '../../../contract/json-value'
import { HttpError } from '../../http/http-error'
import type { Preparer } from '../../http/prepare/preparation'
import { TimeSlices } from '../../lib/time-slices'
import { toCompoundKey } from '../../lib/compound-key'
import { flag } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { StoreError } from '../../store/store-error'
import { resolveRefs } from '../objects/resolve-refs'
import type { Annotation } from './read-annotation'

/** The schema of an answer is short; other objects may be large, and parsing them holds up everybody. */
const maxSpecLength = 65_536

/** CANNOT_COMPILE_REGEXP of ClickHouse's ErrorCodes.cpp. */
const cannotCompile = 427

type Deps = { store: Store; preparer: Preparer }

/** Throws (422) for the first answer that its annotation spec does not allow, or whose spec the project does not have. */
export async function requireAllowedAnswers(
  deps: Deps,
  projectId: string,
  annotations: readonly Annotation[],
  options: QueryOptions,
): Promise<void> {
  if (annotations.length === 0) return
  const refs = [...new Set(annotations.map(({ ref }) => ref))]
  const values = await resolveRefs(deps, refs, (each) => each === projectId, options)
  const specByRef = new Map(
    refs.map((ref, index) => {
      const value = values[index]
      return [ref, value && value.text.length <= maxSpecLength ? parseAnnotationSpec(value.parse()) : undefined]
    }),
  )
  const patterns = new Patterns(deps.store, options)
  const slices = new TimeSlices()
  for (const annotation of annotations) {
    const spec = specByRef.get(annotation.ref)
    if (!spec) throw unknownSpec(annotation)
    const problem = await patterns.whileTesting((testPattern) => findProblem(spec, annotation, testPattern))
    if (problem) throw notAllowed(annotation, problem)
    if (slices.isOver) await slices.next()
  }
}

type TestPattern = (pattern: string, text: string) => boolean

function findProblem({ fieldSchema }: AnnotationSpec, { value }: Annotation, testPattern: TestPattern): FieldProblem | undefined {
  return findFieldProblem(fieldSchema, value, { testPattern })
}

/**
 * Tests patterns in the engine, whose regular expressions (RE2) take a time that grows with the text alone. Those of this
 * process may take for ever, and hold up everybody.
 */
class Patterns {
  private readonly known = new Map<string, boolean>()

  constructor(
    private readonly store: Store,
    private readonly options: QueryOptions,
  ) {}

  /** Runs `task` until it asks for nothing that has not been tested. What it asks for decides only what it asks for next. */
  async whileTesting<T>(task: (test: TestPattern) => T): Promise<T> {
    for (;;) {
      const untested: [pattern: string, text: string][] = []
      const result = task((pattern, text) => {
        const isMatch = this.known.get(toCompoundKey(pattern, text))
        if (isMatch === undefined) untested.push([pattern, text])
        return isMatch ?? true
      })
      if (untested.length === 0) return result
      for (const [pattern, text] of untested) this.known.set(toCompoundKey(pattern, text), await this.test(pattern, text))
    }
  }

  private async test(pattern: string, text: string): Promise<boolean> {
    const statement = sql`SELECT match(${text}, ${pattern}) AS is_match`
    try {
      const [row] = await this.store.query(statement, z.object({ is_match: flag }), this.options)
      return row?.is_match ?? false
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== cannotCompile) throw error
      const msg = `The scorer's pattern '${truncate(pattern)}' is not supported: it may not look ahead or back.`
      throw new HttpError('invalid', { loc: ['body', 'annotation_ref'], msg, type: 'value_error' })
    }
  }
}

function unknownSpec({ loc, ref }: Annotation): HttpError {
  const msg = `This project has no annotation spec '${truncate(ref)}'. Make one by /obj/create, with the builtin_object_class 'AnnotationSpec'.`
  return new HttpError('invalid', { loc: [...loc, 'annotation_ref'], msg, type: 'value_error' })
}

function notAllowed({ loc }: Annotation, { path, message }: FieldProblem): HttpError {
  return new HttpError('invalid', { loc: [...loc, 'payload', 'value', ...path], msg: message, type: 'value_error' })
}
