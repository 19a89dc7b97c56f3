import type { CallKind } from '../../contract/call-tree'

/**
 * What clients call the kinds of their spans, in small letters: OpenInference, OpenLLMetry, Langfuse, Mastra, MLflow, the
 * operations of OpenTelemetry's GenAI conventions and of Vercel's AI SDK, and W&B Weave's kinds of ops.
 */
const kindByName: ReadonlyMap<string, CallKind> = new Map<string, CallKind>([
  ...toEntries('llm', ['llm', 'chat_model', 'generation', 'model_generation', 'chat', 'completion', 'text_completion']),
  ...toEntries('llm', ['generate_content', 'ai.generatetext.dogenerate', 'ai.streamtext.dostream', 'model_step']),
  ...toEntries('tool', ['tool', 'tool_call', 'execute_tool', 'ai.toolcall', 'mcp_tool_call']),
  ...toEntries('agent', ['agent', 'agent_run', 'invoke_agent', 'create_agent']),
  ...toEntries('retriever', ['retriever', 'retrieval', 'search', 'reranker']),
  ...toEntries('embedding', ['embedding', 'embeddings', 'ai.embed.doembed']),
  ...toEntries('chain', ['chain', 'workflow', 'task', 'workflow_run', 'invoke_workflow']),
])

function toEntries(kind: CallKind, names: readonly string[]): [string, CallKind][] {
  return names.map((name) => [name, kind])
}

/** The first name that is known. */
export function toCallKind(names: readonly string[]): CallKind | null {
  for (const name of names) {
    const kind = kindByName.get(name.toLowerCase())
    if (kind) return kind
  }
  return null
}
