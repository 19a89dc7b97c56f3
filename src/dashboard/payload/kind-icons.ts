import type { CallKind } from '../../contract/call-tree'
import type { IconName } from '../ui/Icon'

type KindLook = { icon: IconName; label: string }

/** A kind is told by its shape and its name, never by a colour. */
const looks: Readonly<Record<CallKind, KindLook>> = {
  llm: { icon: 'M8 2.5 9.6 6.4 13.5 8 9.6 9.6 8 13.5 6.4 9.6 2.5 8 6.4 6.4Z', label: 'Model call' },
  tool: { icon: 'M13 5.2a3.2 3.2 0 0 1-4.4 3L5 12.8 3.2 11l4.6-3.6a3.2 3.2 0 0 1 3-4.4L9.5 4.7l1.8 1.8Z', label: 'Tool' },
  agent: { icon: 'M8 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 1 0 0-5ZM3 13.5c.4-2.6 2.3-4 5-4s4.6 1.4 5 4', label: 'Agent' },
  retriever: { icon: 'search', label: 'Retrieval' },
  embedding: {
    icon: 'M3.5 4h.01M8 4h.01M12.5 4h.01M3.5 8h.01M8 8h.01M12.5 8h.01M3.5 12h.01M8 12h.01M12.5 12h.01',
    label: 'Embedding',
  },
  chain: { icon: 'M2.5 8h3M10.5 8h3M5.5 5.5h5v5h-5Z', label: 'Step' },
}
const unknown: KindLook = { icon: 'M8 6.2a1.8 1.8 0 1 0 0 3.6 1.8 1.8 0 1 0 0-3.6Z', label: 'Call' }

export function getKindLook(kind: CallKind | null): KindLook {
  return kind === null ? unknown : looks[kind]
}
