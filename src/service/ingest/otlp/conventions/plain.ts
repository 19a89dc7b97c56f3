import type { SemanticConvention } from './semantic-convention'

/** Names that many programs choose by themselves. W&B Weave reads them too, after those of all conventions. */
export const plain: SemanticConvention = {
  kind: ['weave.span.kind'],
  inputs: [['input'], ['inputs']],
  output: [['output'], ['outputs']],
}
