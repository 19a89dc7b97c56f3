import { formatCount } from '../../format/count'
import { ForeignText } from '../../format/ForeignText'
import { formatPrice } from '../../format/money'
import type { ModelUsage } from './read-usage'

/** Tokens of each kind and their cost, by model. */
export function CallUsage({ models }: { models: readonly ModelUsage[] }) {
  return models.map(({ model, currency, lines }) => (
    <table key={model} className="usage-table">
      <caption className="text-left text-quiet">
        <ForeignText text={model} />
      </caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">Kind</th>
          <th scope="col">Tokens</th>
          <th scope="col">Cost</th>
        </tr>
      </thead>
      <tbody>
        {lines.map(({ name, tokens, cost }) => (
          <tr key={name}>
            <th scope="row">
              <ForeignText text={name} />
            </th>
            <td>{tokens !== null && formatCount(String(tokens))}</td>
            <td>
              {cost === null ? (
                <span className="text-faint">no price</span>
              ) : (
                <span title={`${formatPrice(cost, 'token').exact} ${currency}`}>
                  {formatPrice(cost, 'token').text} <bdi className="text-xs text-quiet">{currency}</bdi>
                </span>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  ))
}
