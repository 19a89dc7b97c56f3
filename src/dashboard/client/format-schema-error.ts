import type * as z from 'zod/mini'

/** Each issue with its path: `results.0.effective_date: Unreadable time 'yesterday'…` */
export function formatSchemaError({ issues }: z.core.$ZodError): string {
  return issues.map(({ path, message }) => [...path.map(String), ''].join('.').replace(/\.$/, ': ') + message).join('; ')
}
