import type { TreeCall } from '../../../../contract/call-tree'
import { formatInstant } from '../../../../contract/instant'
import { CallTree } from '../call-tree'

/** A call with times in microseconds; a null end is that of a running call. */
export function treeCall(
  id: string,
  parentId: string | null,
  startUs: number,
  endUs: number | null,
  more: Partial<TreeCall> = {},
): TreeCall {
  return {
    id,
    parent_id: parentId,
    op_name: id,
    name: id,
    kind: null,
    started_at: formatInstant(BigInt(startUs)),
    ended_at: endUs === null ? null : formatInstant(BigInt(endUs)),
    status: endUs === null ? 'running' : 'success',
    self_ms: null,
    model: null,
    prompt_tokens: 0,
    completion_tokens: 0,
    costs: [],
    child_count: 0,
    ...more,
  }
}

export function treeOf(...calls: TreeCall[]): CallTree {
  const tree = new CallTree()
  tree.add(calls)
  return tree
}
