import { Link2 } from 'lucide-react'

/** The card that a link becomes. Its picture and title come from the page behind it, which we do not load. */
export function PreviewLink({ address, title }: { address: string; title: string | null }) {
  const host = URL.canParse(address) ? new URL(address).host : address
  return (
    <div className="mx-3 flex items-center gap-3 rounded-control border border-line bg-sunken p-3 text-sm">
      <Link2 className="size-5 shrink-0 text-faint" aria-hidden />
      <div className="min-w-0">
        {title !== null && <p className="truncate font-medium">{title}</p>}
        <p className="truncate text-quiet">{host}</p>
      </div>
    </div>
  )
}
