import { Link2 } from 'lucide-react'

/** The card that a link becomes. Its picture and title come from the page behind it, which we do not load. */
export function PreviewLink({ address, title }: { address: string; title: string | null }) {
  const url = URL.canParse(address) ? new URL(address) : null
  const path = url ? `${url.pathname === '/' ? '' : url.pathname}${url.search}` : ''
  return (
    <div className="mx-3 flex items-center gap-3 overflow-hidden rounded-control border border-line bg-surface text-sm">
      <span className="flex w-14 shrink-0 items-center justify-center self-stretch bg-bell-wash text-bell">
        <Link2 className="size-5" aria-hidden />
      </span>
      <div className="min-w-0 py-2.5 pr-3">
        <p className="truncate font-medium">{title ?? url?.host ?? address}</p>
        <p className="truncate text-quiet">{title === null ? path : (url?.host ?? '')}</p>
      </div>
    </div>
  )
}
