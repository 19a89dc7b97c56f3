import * as z from 'zod/mini'
import { type AnnotationSpec, parseAnnotationSpec } from '../../../contract/annotation-spec'
import { findFieldProblem, type FieldProblem } from '../../../contract/field-schema'
import { truncate } from '../../../contract/json-value'
import { maxAnnotationSpecLength } from '../../../contract/limits'
import { formatLimit } from '../../../contract/schema'
import { HttpError } from '../../http/http-error'
import type { Preparer } from '../../http/prepare/preparation'
import { TimeSlices } from '../../lib/time-slices'
import { flag } from '../../store/row-types'
import { sql } from '../../store/sql'
import type { QueryOptions, Store } from '../../store/store'
import { StoreError } from '../../store/store-error'
import { TableCache } from '../../store/table-cache'
import { resolveRefs } from '../objects/resolve-refs'
import type { Annotation } from './read-annotation'

/** CANNOT_COMPILE_REGEXP of ClickHouse's ErrorCodes.cpp. */
const cannotCompile = 427

type Deps = { store: Store; preparer: Preparer }

/** Checks answers against their annotation specs. */
export class AnswerCheck {
  /** By reference, undefined where it leads to none. The same few specs are asked for with every answer of a queue. */
  private readonly specs: TableCache<AnnotationSpec | undefined>

  constructor(private readonly deps: Deps) {
    this.specs = new TableCache(deps.store, 'object_versions')
  }

  /** Throws (422) for the first answer that its annotation spec does not allow, or whose spec the project does not have. */
  async requireAllowed(projectId: string, annotations: readonly Annotation[], options: QueryOptions): Promise<void> {
    const refs = [...new Set(annotations.map(({ ref }) => ref))]
    const specByRef = await this.specs.read(refs, (missing) => this.readSpecs(projectId, missing, options))
    const patterns = new Patterns(this.deps.store, options)
    const slices = new TimeSlices()
    for (const annotation of annotations) {
      const spec = specByRef.get(annotation.ref)
      if (!spec) throw unknownSpec(annotation)
      const problem = await patterns.whileTesting(annotation, (testPattern) => findProblem(spec, annotation, testPattern))
      if (problem) throw notAllowed(annotation, problem)
      if (slices.isOver) await slices.next()
    }
  }

  private async readSpecs(projectId: string, refs: readonly string[], options: QueryOptions) {
    const values = await resolveRefs(this.deps, refs, (each) => each === projectId, options)
    return new Map(
      refs.map((ref, index) => {
        const value = values[index]
        return [ref, value && value.text.length <= maxAnnotationSpecLength ? parseAnnotationSpec(value.parse()) : undefined]
      }),
    )
  }
}

type TestPattern = (pattern: string, text: string) => boolean

function findProblem({ fieldSchema }: AnnotationSpec, { value }: Annotation, testPattern: TestPattern): FieldProblem | undefined {
  return findFieldProblem(fieldSchema, value, { testPattern })
}

/**
 * The time of a test grows with the text and with the size of the pattern, in which repeats are written out. Beyond this product
 * it may take seconds, and nothing ends it.
 */
const maxTestSize = 10_000_000
/** RE2 refuses more. */
const maxRepeats = 1000

/**
 * Tests patterns in the engine, whose regular expressions (RE2) take no more than that. Those of this process may take for ever,
 * and hold up everybody.
 */
class Patterns {
  private readonly knownByText = new Map<string, Map<string, boolean>>()

  constructor(
    private readonly store: Store,
    private readonly options: QueryOptions,
  ) {}

  /** Runs `task` until it asks for nothing that has not been tested. What it asks for decides only what it asks for next. */
  async whileTesting(
    annotation: Annotation,
    task: (test: TestPattern) => FieldProblem | undefined,
  ): Promise<FieldProblem | undefined> {
    for (;;) {
      const untested: [pattern: string, text: string][] = []
      const problem = task((pattern, text) => {
        const isMatch = this.knownByText.get(text)?.get(pattern)
        if (isMatch === undefined) untested.push([pattern, text])
        return isMatch ?? true
      })
      if (untested.length === 0 || problem?.isTooComplex) return problem
      for (const [pattern, text] of untested) {
        const known = this.knownByText.get(text) ?? new Map<string, boolean>()
        this.knownByText.set(text, known.set(pattern, await this.test(annotation, pattern, text)))
      }
    }
  }

  private async test({ loc }: Annotation, pattern: string, text: string): Promise<boolean> {
    const maxLength = Math.floor(maxTestSize / measurePattern(pattern))
    if (text.length > maxLength) {
      const msg = `Too long to be tested against the scorer's pattern '${truncate(pattern)}': at most ${formatLimit(maxLength)} characters.`
      throw new HttpError('invalid', { loc: [...loc, 'payload', 'value'], msg, type: 'value_error' })
    }
    const statement = sql`SELECT match(${text}, ${pattern}) AS is_match`
    try {
      // The engine finds the value of constants while it plans.
      const options: QueryOptions = { ...this.options, lane: 'scan' }
      const [row] = await this.store.query(statement, z.object({ is_match: flag }), options)
      return row?.is_match ?? false
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== cannotCompile) throw error
      const msg = `The scorer's pattern '${truncate(pattern)}' is not supported: it may not look ahead or back.`
      throw new HttpError('invalid', { loc: [...loc, 'annotation_ref'], msg, type: 'value_error' })
    }
  }
}

/** At least the length of a pattern without repeats. Nested repeats multiply each other. */
function measurePattern(pattern: string): number {
  let repeats = 1
  for (const [, min = '', max = ''] of pattern.matchAll(/\{(\d+)(?:,(\d*))?\}/g)) {
    repeats = Math.min(repeats * Math.max(Number(min), Number(max), 1), maxRepeats)
  }
  return Math.max(pattern.length, 1) * repeats
}

function unknownSpec({ loc, ref }: Annotation): HttpError {
  const msg = `This project has no annotation spec '${truncate(ref)}'. Make one by /obj/create, with the builtin_object_class 'AnnotationSpec'.`
  return new HttpError('invalid', { loc: [...loc, 'annotation_ref'], msg, type: 'value_error' })
}

function notAllowed({ loc }: Annotation, { path, message }: FieldProblem): HttpError {
  return new HttpError('invalid', { loc: [...loc, 'payload', 'value', ...path], msg: message, type: 'value_error' })
}
