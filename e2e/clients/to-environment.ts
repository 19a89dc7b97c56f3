import { threadId } from './check-client'

export type ClientPlace = {
  spoolUrl: string
  password: string
  project: string
  modelUrl: string
  /** Where clients may write what they keep for themselves. */
  folder: string
}

/** The variables by which users configure these clients. What else a program needs, it reads from `SPOOL_*` and `THREAD_ID`. */
export function toEnvironment({ spoolUrl, password, project, modelUrl, folder }: ClientPlace): NodeJS.ProcessEnv {
  return {
    PATH: process.env['PATH'],
    HOME: folder,
    // Weave for Python keeps here what it has published, by project, and does not publish it again to another service.
    TMPDIR: folder,
    SPOOL_URL: spoolUrl,
    SPOOL_KEY: password,
    SPOOL_PROJECT: project,
    THREAD_ID: threadId,
    WF_TRACE_SERVER_URL: spoolUrl,
    WANDB_BASE_URL: spoolUrl,
    WANDB_API_KEY: password,
    OTEL_EXPORTER_OTLP_ENDPOINT: `${spoolUrl}/otel`,
    OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf',
    OTEL_EXPORTER_OTLP_HEADERS: `wandb-api-key=${password},project_id=${encodeURIComponent(project)}`,
    OPENAI_BASE_URL: `${modelUrl}/openai/v1`,
    OPENAI_API_KEY: 'unused',
    ANTHROPIC_BASE_URL: `${modelUrl}/anthropic`,
    ANTHROPIC_API_KEY: 'unused',
    GOOGLE_GEMINI_BASE_URL: `${modelUrl}/gemini`,
    GEMINI_API_KEY: 'unused',
  }
}
