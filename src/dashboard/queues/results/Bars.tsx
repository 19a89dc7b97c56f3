import { Link } from 'wouter'
import { formatCount } from '../../format/count'
import { formatShare } from './format-answer'

type Bar = { label: string; count: number; /** Where those that are counted are. */ href?: string | undefined }

type Props = { label: string; bars: readonly Bar[]; total: number }

/** Counts as bars, in the order given. A full bar is all answers. */
export function Bars({ label, bars, total }: Props) {
  return (
    <table aria-label={label} className="w-full max-w-140 border-collapse">
      <thead className="sr-only">
        <tr>
          <th>Answer</th>
          <th aria-hidden="true">Bar</th>
          <th>Share</th>
          <th>Answers</th>
        </tr>
      </thead>
      <tbody>
        {bars.map(({ label: name, count, href }) => (
          <tr key={name}>
            <th
              scope="row"
              className="w-0 max-w-40 min-w-12 truncate max-sm:max-w-28 pr-3 text-left font-normal whitespace-nowrap"
              title={name}
            >
              {href ? (
                <Link href={href} className="underline decoration-line-strong -outline-offset-2 hover:decoration-current">
                  <bdi>{name}</bdi>
                </Link>
              ) : (
                <bdi>{name}</bdi>
              )}
            </th>
            <td aria-hidden="true" className="min-w-24 pr-3">
              <span className="block h-3 overflow-hidden rounded-[2px] bg-sunken forced-colors:border">
                <span
                  className="block h-full bg-accent forced-colors:bg-[CanvasText]"
                  style={{ width: count === 0 ? 0 : `max(2px, ${(100 * count) / Math.max(count, total)}%)` }}
                />
              </span>
            </td>
            <td className="w-16 pr-3 text-right whitespace-nowrap text-quiet tabular-nums">{formatShare(count, total)}</td>
            <td className="w-0 text-right tabular-nums">{formatCount(String(count))}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
