/** The logo: a spool of thread, seen from the side. */
export function SpoolLogo({ size = 20 }: { size?: number }) {
  return (
    <svg viewBox="0 0 20 20" width={size} height={size} fill="none" aria-hidden="true" className="shrink-0">
      <path d="M3.5 3.2h13M3.5 16.8h13" stroke="currentColor" strokeWidth="2.4" strokeLinecap="round" />
      <path d="M5.5 6.8h9M5.5 10h9M5.5 13.2h9" stroke="var(--accent)" strokeWidth="1.9" strokeLinecap="round" />
      <path d="M14.5 13.2c3 .3 2.7-3 2.7-5.2" stroke="var(--accent)" strokeWidth="1.3" strokeLinecap="round" />
    </svg>
  )
}
