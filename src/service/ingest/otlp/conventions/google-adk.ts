import type { SemanticConvention } from './semantic-convention'

/** Google's Agent Development Kit. https://google.github.io/adk-docs/ */
export const googleAdk: SemanticConvention = {
  threadId: ['gcp.vertex.agent.session_id'],
}
