import { Link } from 'wouter'
import { formatCount } from '../../format/count'
import { formatVisibleText } from '../../format/visible-text'
import { toAddPriceHref } from './spend-links'

/** Calls without a price. Of a model, they lead to where its price is added. */
export function Unpriced({ count, model }: { count: number; model: string | undefined }) {
  if (count === 0) return <span className="text-faint">0</span>
  const text = formatCount(String(count))
  return model ? <AddPriceLink model={model} text={text} /> : <span className="text-warn">{text}</span>
}

export function AddPriceLink({ model, text }: { model: string; text: string }) {
  return (
    <Link href={toAddPriceHref(model)} title={`Add a price for ${formatVisibleText(model)}`} className="text-warn underline">
      {text}
      <span className="sr-only">: add a price</span>
    </Link>
  )
}
