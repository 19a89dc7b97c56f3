import { useCanAddToQueue } from '../../table/add-to-queue/use-can-add-to-queue'
import { useHasReviews } from './use-has-reviews'

/**
 * Whether queues can be edited and deleted. No request finds it out and changes nothing; services that take calls into queues,
 * such as W&B Weave, do both. False until that is known.
 */
export function useCanChangeQueues(): boolean {
  const hasReviews = useHasReviews()
  const canAdd = useCanAddToQueue()
  return hasReviews === true || canAdd
}
