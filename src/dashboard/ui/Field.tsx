import { type ReactNode, useId } from 'react'
import { Icon } from './Icon'

/** The attributes that connect a control with its label, hint and error. */
export type FieldControl = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': true | undefined }

type Props = {
  label: ReactNode
  hint?: ReactNode
  /** What is wrong and how to correct it. Screen readers announce it. */
  error?: string | undefined
  /** A note that does not keep the form from being sent. */
  warning?: string | undefined
  isOptional?: boolean
  /** The id of the control, so that an error summary can link to it. */
  id?: string
  className?: string
  children: (control: FieldControl) => ReactNode
}

export function Field({ label, hint, error, warning, isOptional = false, id, className = '', children }: Props) {
  const ownId = useId()
  const controlId = id ?? ownId
  const describedBy = [hint && `${controlId}-hint`, (error ?? warning) && `${controlId}-note`].filter(Boolean).join(' ')
  return (
    <div className={`flex min-w-0 flex-col gap-1 ${className}`}>
      <div className="flex flex-wrap items-baseline gap-x-2">
        <label htmlFor={controlId}>
          {label}
          {isOptional && <span className="text-faint"> (optional)</span>}
        </label>
        {hint && (
          <p id={`${controlId}-hint`} className="text-xs text-quiet">
            {hint}
          </p>
        )}
      </div>
      {children({ id: controlId, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      <FieldNote id={`${controlId}-note`} error={error} warning={warning} />
    </div>
  )
}

/** What is said below a control. Screen readers announce it when it comes. */
export function FieldNote({ id, error, warning }: Pick<Props, 'id' | 'error' | 'warning'>) {
  return (
    <p id={id} aria-live="polite" className={error ? 'text-bad' : 'text-warn'}>
      {(error ?? warning) && (
        <span className="flex items-start gap-1.5">
          <Icon name={error ? 'error' : 'warning'} className="mt-0.5" />
          <span className="min-w-0 break-words">{error ?? warning}</span>
        </span>
      )}
    </p>
  )
}
