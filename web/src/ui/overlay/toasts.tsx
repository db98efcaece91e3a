import { lazy, Suspense } from 'react'
import { useToastsWanted } from './show-toast.ts'

const ToastRegion = lazy(async () => ({ default: (await import('./toast-region.tsx')).ToastRegion }))

/** Where toasts appear. Nothing is loaded before there is one. */
export function Toasts({ closeLabel }: { closeLabel: string }) {
  const isWanted = useToastsWanted()
  return <Suspense>{isWanted && <ToastRegion closeLabel={closeLabel} />}</Suspense>
}
