const opRef = /^weave(?:-trace-internal)?:\/\/\/.*\/op\/([^/:]+):([^/:]*)$/

/** The name of an op. W&B Weave's SDKs send a reference to a version of it instead: `weave:///acme/support/op/answer:v1` is `answer`. */
export function formatOpName(opName: string): string {
  return opRef.exec(opName)?.[1] ?? opName
}

/**
 * The names of the ops of a list. Those that would be called the same have the start of their version too.
 *
 * @example nameOps(['ask', 'weave:///acme/support/op/ask:v1']) // Map { 'ask' => 'ask', 'weave:///…' => 'ask:v1' }
 */
export function nameOps(opNames: Iterable<string>): ReadonlyMap<string, string> {
  const ops = [...new Set(opNames)]
  const names = ops.map(formatOpName)
  return new Map(
    ops.map((op, index) => {
      const [name = op, version] = [names[index], opRef.exec(op)?.[2]]
      const isAlone = names.indexOf(name) === names.lastIndexOf(name)
      return [op, isAlone || !version ? name : `${name}:${version.slice(0, 8)}`]
    }),
  )
}
