import type { ReactNode } from 'react'

/** A surface with a hairline. Cards are not put into cards. */
export function Card({ className = '', children }: { className?: string; children: ReactNode }) {
  return <div className={`rounded-card border border-line bg-surface p-5 ${className}`}>{children}</div>
}
