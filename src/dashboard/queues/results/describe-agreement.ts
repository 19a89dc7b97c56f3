import type { Agreement, ScorerResult } from '../../../contract/queue-results'

/** From so many items on, figures of agreement say more than chance. */
export const minAgreementItems = 5

export type AgreementFigure = {
  name: string
  /** Undefined: there is no figure, and `reason` says why. */
  value: string | undefined
  reason: string | undefined
  /** What it says, for somebody who has never heard of it. */
  meaning: string
  source: string
}

const percentSource =
  'J. L. Fleiss, Measuring nominal scale agreement among many raters, Psychological Bulletin 76 (1971), 378-382: the observed agreement.'
const kappaSource =
  'J. Cohen, A coefficient of agreement for nominal scales, Educational and Psychological Measurement 20 (1960), 37-46.'
const alphaSource =
  "K. Krippendorff, Computing Krippendorff's Alpha-Reliability (2011), section D: 1 - observed / expected disagreement."

const scale =
  '1 is full agreement, 0 is what chance gives, below 0 is worse than chance. From 0.8 on people usually call it reliable.'

/** How far people agree, as figures in the order in which they are read. Empty where answers cannot be compared. */
export function describeAgreement({ kind, agreement, annotators, values }: ScorerResult): AgreementFigure[] {
  if (kind === 'text' || kind === 'other') return []
  const tooFew = findTooFew(agreement)
  const isOneValue = values.length === 1
  const figure = (
    name: string,
    value: number | null | undefined,
    texts: { meaning: string; source: string; missing: string },
  ) => {
    const { meaning, source, missing } = texts
    if (tooFew !== undefined) return { name, value: undefined, reason: tooFew, meaning, source }
    if (value === null || value === undefined) return { name, value: undefined, reason: missing, meaning, source }
    return { name, value: value.toFixed(3), reason: undefined, meaning, source }
  }
  const allEqual = 'Not defined: all answers are the same.'
  const alpha = (name: string, value: number | null | undefined, meaning: string) =>
    figure(name, value, {
      meaning: `${meaning} ${scale} For any number of people, also where some judged only some items.`,
      source: alphaSource,
      missing: allEqual,
    })
  const alphas = agreement?.krippendorffs_alpha
  return [
    {
      name: 'Equal answers',
      value: tooFew === undefined && agreement ? `${agreement.percent.toFixed(1)} %` : undefined,
      reason: tooFew,
      meaning: `Of the pairs of answers to one item, so many are equal. It does not take out what chance gives${isOneValue ? ': here everybody gave the same answer, which says little' : ''}.`,
      source: percentSource,
    },
    figure("Cohen's kappa", agreement?.cohens_kappa, {
      meaning: `How far two people agree beyond what chance would give. ${scale}`,
      source: kappaSource,
      missing:
        annotators.length === 2
          ? 'Not defined: both always gave the same answer.'
          : `Only for two people; ${annotators.length} answered.`,
    }),
    alpha("Krippendorff's alpha", alphas?.nominal, 'How far people agree beyond chance, where answers are equal or not.'),
    ...(kind === 'number'
      ? [
          alpha('alpha, by order', alphas?.ordinal, 'The same for numbers of which only the order counts, such as grades.'),
          alpha(
            'alpha, by distance',
            alphas?.interval,
            'The same for numbers whose differences count: 1 and 2 differ less than 1 and 5.',
          ),
        ]
      : []),
  ]
}

function findTooFew(agreement: Agreement | null): string | undefined {
  const count = agreement?.item_count ?? 0
  if (count >= minAgreementItems) return undefined
  const so = count === 0 ? 'no item has' : count === 1 ? '1 item has' : `${count} items have`
  return `Not enough: ${so} answers of two people, and it takes ${minAgreementItems} such items.`
}
