import type { ComponentProps } from 'react'

type Props = ComponentProps<'input'> & { choice: string; value: string | undefined; onChoose: () => void }

/** One radio button of a group. */
export function Radio({ choice, value, onChoose, ...rest }: Props) {
  return <input {...rest} type="radio" value={choice} checked={choice === value} onChange={onChoose} />
}
