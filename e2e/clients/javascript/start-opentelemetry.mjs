// OpenTelemetry's SDK for Node as its documentation sets it up. The environment says where it sends.
import { NodeSDK } from '@opentelemetry/sdk-node'

export function startOpenTelemetry(options = {}) {
  const sdk = new NodeSDK(options)
  sdk.start()
  return sdk
}
