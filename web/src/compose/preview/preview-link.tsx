import { useQuery } from '@tanstack/react-query'
import { Link2 } from 'lucide-react'
import { useEffect, useState } from 'react'
import { contentLinkCard } from '../../api/queries.gen.ts'
import { useCompose } from '../compose-context.ts'

/** The card that a link becomes, with what the page behind it says about itself. `title` is one that the author gives it. */
export function PreviewLink({ address, title }: { address: string; title: string | null }) {
  const { workspaceId } = useCompose()
  const url = URL.canParse(address) ? new URL(address) : null
  const settled = useSettled(address)
  const isComplete = url !== null && url.hostname.includes('.') && settled === address
  const { data } = useQuery({ ...contentLinkCard(workspaceId, settled), enabled: isComplete, retry: false, staleTime: keptMs })
  const card = isComplete ? data : undefined
  const path = url ? `${url.pathname === '/' ? '' : url.pathname}${url.search}` : ''
  const heading = title ?? card?.title ?? null
  return (
    <div
      data-link-card={card ? 'loaded' : 'bare'}
      className={`mx-3 flex overflow-hidden rounded-control border border-line bg-surface text-sm ${card?.picture ? 'flex-col' : 'items-center gap-3'}`}
    >
      {card?.picture ? (
        <img src={card.picture} alt="" className="aspect-[1.91] w-full object-cover" />
      ) : (
        <span className="flex w-14 shrink-0 items-center justify-center self-stretch bg-bell-wash text-bell">
          <Link2 className="size-5" aria-hidden />
        </span>
      )}
      <div className={`min-w-0 py-2.5 ${card?.picture ? 'px-3' : 'pr-3'}`}>
        <p className="line-clamp-2 font-medium wrap-anywhere">{heading ?? url?.host ?? address}</p>
        {heading !== null && card?.description && <p className="line-clamp-2 text-quiet">{card.description}</p>}
        <p className="truncate text-quiet">{heading === null ? path : (url?.host ?? '')}</p>
      </div>
    </div>
  )
}

/** Pages seldom change while somebody writes about them. */
const keptMs = 300_000
/** An address that is being typed names another page at every key. */
const settledMs = 700

function useSettled(value: string): string {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), settledMs)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
