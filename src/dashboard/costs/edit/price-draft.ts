import { type Owner, ownerKey } from '../../client/owner-key'
import { storedValue } from '../../client/stored-value'
import { PriceDraft } from './price-form'

/**
 * What is typed into the form, kept in this tab through a reload. `target` is '' for a new price, or the id of the record to
 * correct: each has a draft of its own.
 */
export function priceDraft(owner: Owner, target: string) {
  return storedValue(PriceDraft, `spool.price-draft ${ownerKey(owner)} ${target}`, 'tab')
}
