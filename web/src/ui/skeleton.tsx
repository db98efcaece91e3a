/** The outline of what is being loaded. It does not move: a page full of shimmer is worse to look at than a short wait. */
export function Skeleton({ className = '' }: { className?: string }) {
  return <div aria-hidden="true" className={`rounded-control bg-hover ${className}`} />
}

/** Several lines of text that are being loaded; `label` tells screen readers so. */
export function SkeletonLines({ label, count = 3 }: { label: string; count?: number }) {
  return (
    <output className="flex flex-col gap-3 py-2">
      <span className="sr-only">{label}</span>
      {Array.from({ length: count }, (_, at) => (
        <Skeleton key={at} className={`h-4 ${at === count - 1 ? 'w-2/3' : 'w-full'}`} />
      ))}
    </output>
  )
}
