/** A sign of work under way, for inside of a control. It does not turn for people who prefer less motion. */
export function Spinner() {
  return (
    <svg viewBox="0 0 18 18" aria-hidden="true" className="size-[18px] motion-safe:animate-spin">
      <circle cx="9" cy="9" r="7" fill="none" stroke="currentColor" strokeWidth="1.75" opacity="0.25" />
      <path d="M9 2a7 7 0 0 1 7 7" fill="none" stroke="currentColor" strokeWidth="1.75" strokeLinecap="round" />
    </svg>
  )
}
