import { grouped } from '../format/decimal'
import { EmptyState } from '../ui/EmptyState'
import { mostRecords } from './cost-records'

export function TooManyRecords({ isFiltered }: { isFiltered: boolean }) {
  return (
    <EmptyState>
      {`There are more than ${grouped(String(mostRecords))} records. What is in force has to be worked out from all of them, so please ${
        isFiltered ? 'narrow the filter further' : 'choose a provider or search for a model'
      }, or look at all records.`}
    </EmptyState>
  )
}
