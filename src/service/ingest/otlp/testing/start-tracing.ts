import { AsyncLocalStorage } from 'node:async_hooks'
import { type Context, context, type ContextManager, ROOT_CONTEXT } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { BasicTracerProvider, BatchSpanProcessor, type SpanProcessor } from '@opentelemetry/sdk-trace-base'

/** Sets up tracing as a program does: the environment says where the exporter sends. */
export function startTracing(more: SpanProcessor[] = []): BasicTracerProvider {
  context.setGlobalContextManager(new StoredContext())
  // One span a request, so that children arrive in other requests than their parents, and before them.
  const exporting = new BatchSpanProcessor(new OTLPTraceExporter(), { maxExportBatchSize: 1 })
  return new BasicTracerProvider({ spanProcessors: [...more, exporting] })
}

/** Keeps the current span across awaits, as the SDK for Node does. */
class StoredContext implements ContextManager {
  private readonly storage = new AsyncLocalStorage<Context>()

  active(): Context {
    return this.storage.getStore() ?? ROOT_CONTEXT
  }

  with<A extends unknown[], F extends (...args: A) => ReturnType<F>>(
    active: Context,
    run: F,
    thisArg?: ThisParameterType<F>,
    ...args: A
  ): ReturnType<F> {
    return this.storage.run(active, () => run.apply(thisArg, args))
  }

  bind<T>(_context: Context, target: T): T {
    return target
  }

  enable(): this {
    return this
  }

  disable(): this {
    this.storage.disable()
    return this
  }
}
