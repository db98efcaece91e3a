import type { Post } from '@carillon/sdk'
import { Link2, MessageSquare, Sparkles } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { FileTile } from '../media/file-tile.tsx'
import { Card } from '../ui/card.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** What a post says that has no account, and so no platform in whose manner it could be shown. */
export function PostContent({ post }: { post: Post }) {
  const { t } = useTranslation('posts')
  const { title, text, medias, linkUrl, aiGenerated, thread, firstComment } = post
  return (
    <section aria-label={t('content')} className="flex flex-col gap-3">
      <h2 className="font-serif text-xl">{t('content')}</h2>
      <Card className="flex flex-col gap-4">
        {title && <p className="font-semibold break-words">{title}</p>}
        {text ? <p className="break-words whitespace-pre-wrap">{text}</p> : !title && <p className="text-quiet">{t('noText')}</p>}
        {medias.length > 0 && (
          <ul className="grid grid-cols-3 gap-2">
            {medias.map((media, at) => (
              <li key={media.id ?? media.url}>
                <Picture media={media} label={media.alt || media.name || t('file', { number: at + 1 })} />
              </li>
            ))}
          </ul>
        )}
        {linkUrl && (
          <p className="flex items-center gap-2 text-sm text-quiet">
            <Link2 aria-hidden className="size-4 shrink-0" />
            <a href={linkUrl} target="_blank" rel="noreferrer" className="min-w-0 truncate">
              {linkUrl}
            </a>
          </p>
        )}
        {aiGenerated && (
          <p className="flex items-center gap-2 text-sm text-quiet">
            <Sparkles aria-hidden className="size-4 shrink-0" />
            {t('aiGenerated')}
          </p>
        )}
        {thread && (
          <ol aria-label={t('thread.rest')} className="flex flex-col gap-3">
            {thread.map((part, at) => (
              <li key={at} className="border-l-2 border-line pl-3 break-words whitespace-pre-wrap">
                {part.text}
              </li>
            ))}
          </ol>
        )}
        {firstComment && (
          <div className="flex items-start gap-2 border-t border-line pt-3">
            <MessageSquare aria-hidden className="mt-1 size-4 shrink-0 text-quiet" />
            <div className="min-w-0">
              <p className="text-sm text-quiet">{t('firstComment')}</p>
              <p className="break-words whitespace-pre-wrap">{firstComment.text}</p>
            </div>
          </div>
        )}
      </Card>
    </section>
  )
}

/** A signed address ends after an hour; the one of the thumbnail does not, and the page may stay open for days. */
function Picture({ media: { id, name, type, thumbnailUrl, pages }, label }: { media: Post['medias'][number]; label: string }) {
  const { id: workspaceId } = useWorkspace()
  if (id === null || thumbnailUrl === null || type === null)
    return <FileTile type={type} name={name ?? label} pages={pages} className="aspect-square w-full rounded-control" />
  return (
    <img
      src={`/api/workspaces/${workspaceId}/media/${id}/thumbnail`}
      alt={label}
      className="aspect-square w-full rounded-control bg-sunken object-cover"
    />
  )
}
