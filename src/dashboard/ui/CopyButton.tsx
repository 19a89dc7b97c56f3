import { useState } from 'react'
import { announce } from './announce'
import { Button, type ButtonProps } from './Button'
import { copyText } from './copy-text'
import { IconButton } from './IconButton'

type Props = {
  /** The text, or a function that makes it when the button is pressed. */
  text: string | (() => string)
  /** The name of the button: "Copy id". */
  label: string
  /** Shows the label instead of only an icon. */
  hasText?: boolean
  variant?: ButtonProps['variant']
}

export function CopyButton({ text, label, hasText = false, variant = 'plain' }: Props) {
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  const icon = outcome === 'copied' ? 'check' : outcome === 'failed' ? 'error' : 'copy'
  const copy = async () => {
    const isCopied = await copyText(typeof text === 'string' ? text : text())
    announce(isCopied ? 'Copied' : 'Copying failed')
    setOutcome(isCopied ? 'copied' : 'failed')
    setTimeout(() => setOutcome('none'), 1500)
  }
  return hasText ? (
    <Button variant={variant} icon={icon} onClick={() => void copy()}>
      {label}
    </Button>
  ) : (
    <IconButton label={label} icon={icon} onClick={() => void copy()} />
  )
}
