import { Skeleton } from '../ui/skeleton.tsx'

/** Shown while a page is being loaded, and only after a moment: most pages appear before that. */
export function PagePending() {
  return (
    <div className="flex flex-col gap-5 p-1" aria-busy="true">
      <Skeleton className="h-8 w-48" />
      <Skeleton className="h-40 w-full" />
    </div>
  )
}
