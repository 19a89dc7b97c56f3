import type * as z from 'zod/mini'
import { annotationSpecClass } from '../../../contract/annotation-spec'
import { findSchemaProblem } from '../../../contract/field-schema'
import { isJsonObject, truncate } from '../../../contract/json-value'
import { maxAnnotationSpecLength, maxClassNameLength } from '../../../contract/limits'
import { createObject } from '../../../contract/objects'
import { formatLimit, isLongerThan } from '../../../contract/schema'
import { HttpError } from '../../http/http-error'
import { parseBody } from '../../http/incoming-request'
import { preparation } from '../../http/prepare/preparation'
import { requireProject } from '../../http/route'
import type { User } from '../../http/user'
import { canonicalJson, toDigest } from '../../lib/digest'
import { type ObjectClasses, parseObjectClasses, parseObjectKind } from './object-classes'
import { maxLineEndBytes, type NewVersion } from './store-version'

/** A version of an object, ready to be stored. */
export const prepareObject = preparation('object', (body, { user }: { user: User }): NewVersion => {
  const { obj } = parseBody(createObject, body)
  requireProject(user, obj.project_id)
  const val = addClasses(obj)
  const classes = parseObjectClasses(val)
  requireClassLengths(classes)
  const text = JSON.stringify(val)
  if (isAnnotationSpec(val)) requireAnnotationSpec(val, text.length)
  const digest = toDigest(canonicalJson(val))
  const row = {
    project_id: obj.project_id,
    object_id: obj.object_id,
    digest,
    kind: parseObjectKind(val),
    base_object_class: classes?.base ?? null,
    leaf_object_class: classes?.leaf ?? null,
    val: text,
    size_bytes: Buffer.byteLength(text),
    created_by: user.username,
  }
  const start = JSON.stringify(row).slice(0, -1)
  const startBytes = Buffer.byteLength(start)
  const line = Buffer.alloc(startBytes + maxLineEndBytes)
  line.write(start)
  return { projectId: obj.project_id, objectId: obj.object_id, digest, line, startBytes }
})

/** The names come from the value, whose content the request schema does not read. */
function requireClassLengths(classes: ObjectClasses | undefined): void {
  const isTooLong = classes && [classes.leaf, classes.base].some((name) => isLongerThan(name, maxClassNameLength))
  if (!isTooLong) return
  throw new HttpError('invalid', {
    loc: ['body', 'obj', 'val', '_class_name'],
    msg: `The names in '_class_name' and '_bases' are too long: at most ${formatLimit(maxClassNameLength)} characters.`,
    type: 'string_too_long',
  })
}

/** Whether people can answer it: `parseAnnotationSpec` looks at its own class alone, whatever its bases. */
function isAnnotationSpec(val: unknown): val is Readonly<Record<string, unknown>> {
  return isJsonObject(val) && val['_class_name'] === annotationSpecClass
}

/** Answers are checked against it later, and a spec that nothing can be checked against would refuse all of them. */
function requireAnnotationSpec(val: Readonly<Record<string, unknown>>, length: number): void {
  if (length > maxAnnotationSpecLength) {
    const msg = `An annotation spec has at most ${formatLimit(maxAnnotationSpecLength)} characters of JSON, and this one has ${formatLimit(length)}.`
    throw new HttpError('invalid', { loc: ['body', 'obj', 'val'], msg, type: 'too_long' })
  }
  const problem = findSchemaProblem(val['field_schema'] ?? {})
  if (problem === undefined) return
  throw new HttpError('invalid', { loc: ['body', 'obj', 'val', 'field_schema'], msg: problem, type: 'value_error' })
}

type SentObject = z.output<typeof createObject.request>['obj']

/** The value with the class that was named beside it, where it does not say its own. */
function addClasses({ val, builtin_object_class, set_base_object_class }: SentObject): unknown {
  const named = builtin_object_class ?? set_base_object_class
  if (named === undefined) return val
  const loc = ['body', 'obj', 'builtin_object_class']
  if (!isJsonObject(val)) {
    throw new HttpError('invalid', { loc, msg: 'Only a value that is an object has a class. Leave it out.', type: 'value_error' })
  }
  const own = parseObjectClasses(val)
  if (!own) return { ...val, _type: named, _class_name: named, _bases: ['BaseObject', 'BaseModel'] }
  if (own.leaf === named) return val
  const msg = `The value says itself that its class is '${truncate(own.leaf)}'. Name that one, or leave it out.`
  throw new HttpError('invalid', { loc, msg, type: 'value_error' })
}
