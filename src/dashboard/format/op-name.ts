/** The name of an op. W&B Weave's SDKs send a reference to a version of it instead: `weave:///acme/support/op/answer:v1` is `answer`. */
export function formatOpName(opName: string): string {
  return /^weave(?:-trace-internal)?:\/\/\/.*\/op\/([^/:]+):[^/:]*$/.exec(opName)?.[1] ?? opName
}
