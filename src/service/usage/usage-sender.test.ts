import { expect, test } from 'vitest'
import { type SenderInfo, toUsageSender } from './usage-sender'

const info = (more: Partial<SenderInfo>): SenderInfo => ({
  isSpan: false,
  source: '',
  clientVersion: '',
  integration: '',
  integrationVersion: '',
  statusCounts: undefined,
  ...more,
})
const python = (version: string, more: Partial<SenderInfo> = {}) =>
  info({ source: 'python-sdk', clientVersion: version, integrationVersion: version, ...more })

test('Weave for Python says by its version whether it adds cached tokens to those of Anthropic', () => {
  expect(toUsageSender(python('0.53.1', { integration: 'anthropic' })).isPromptWithCached).toBe(false)
  expect(toUsageSender(python('0.53.2', { integration: 'anthropic' })).isPromptWithCached).toBe(true)
})

test.each<[string, SenderInfo, boolean]>([
  ['a span', info({ isSpan: true }), true],
  ['npm weave', info({ source: 'js-sdk', clientVersion: '0.11.1' }), false],
  ['a program without an SDK', info({}), false],
  ['an agent of Claude’s SDK', python('0.54.0', { integration: 'claude_agent_sdk' }), true],
  ['a call that hides the version of its client', info({ integration: 'anthropic', integrationVersion: '0.54.0' }), true],
  ['another integration', python('0.54.0', { integration: 'litellm' }), false],
  ['an op that returns a message of Anthropic', python('0.54.0', { statusCounts: { success: 1, error: 0 } }), false],
  ['an op that adds up its children', python('0.54.0', { statusCounts: { success: 2, error: 0 } }), true],
  ['an older one that adds up its children', python('0.52.43', { statusCounts: { success: 2, error: 0 } }), false],
  ['a development version', python('1.0.0-dev0', { integration: 'anthropic' }), true],
  ['a version that is none', python('latest', { integration: 'anthropic' }), false],
  ['counts that are none', python('0.54.0', { statusCounts: 'many' }), false],
])('%s is known to count cached tokens within the prompt, or not', (_, sender, isPromptWithCached) => {
  expect(toUsageSender(sender).isPromptWithCached).toBe(isPromptWithCached)
})

test('only Weave for Python copies cached tokens out of the details', () => {
  expect(toUsageSender(python('0.52.43')).repeatsDetails).toBe(true)
  expect(toUsageSender(info({ source: 'js-sdk' })).repeatsDetails).toBe(false)
})
