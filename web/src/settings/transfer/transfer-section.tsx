import { useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../actions/save-file.ts'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { calendarFeedGet } from '../../api/queries.gen.ts'
import { Button } from '../../ui/button.tsx'
import { CopyText } from '../../ui/copy-text.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { useMay } from '../../workspaces/use-workspace.ts'
import { useAccess } from '../use-access.ts'
import { ImportCard } from './import-card.tsx'

/** Posts from a file, posts as a file, and the calendar for calendar programs. */
export function TransferSection() {
  const { t } = useTranslation('transfer')
  const { workspaceId } = useAccess()
  const mayWrite = useMay('editor')
  const { mutate: save, isPending } = useChange({
    run: (format: 'csv' | 'jsonl') =>
      format === 'csv' ? carillon.exports.csv({}, { workspaceId }) : carillon.exports.lines({}, { workspaceId }),
    affects: () => [],
    onDone: (text, format) => saveFile(`carillon-posts.${format}`, text),
  })
  return (
    <>
      {mayWrite && <ImportCard />}
      <section aria-labelledby="export-title" className="flex flex-col items-start gap-3">
        <h2 id="export-title" className="text-lg font-medium">
          {t('export.title')}
        </h2>
        <p className="max-w-[68ch] text-quiet">{t('export.text')}</p>
        <div className="flex flex-wrap gap-2">
          <Button icon={<Download aria-hidden />} isBusy={isPending} onClick={() => save('csv')}>
            {t('export.csv')}
          </Button>
          <Button icon={<Download aria-hidden />} isBusy={isPending} onClick={() => save('jsonl')}>
            {t('export.jsonl')}
          </Button>
        </div>
      </section>
      <FeedCard />
    </>
  )
}

/** The secret address of the calendar. It is shown once, when it is made. */
function FeedCard() {
  const { t } = useTranslation('transfer')
  const { workspaceId } = useAccess()
  const { data: feed } = useQuery(calendarFeedGet(workspaceId))
  const [texts, setTexts] = useState(true)
  const [url, setUrl] = useState<string | null>(null)
  const affects = () => [['calendarFeed.get', workspaceId]]
  const { mutate: make, isPending: isMaking } = useChange({
    run: () => carillon.calendarFeed.create({ texts }, { workspaceId }),
    affects,
    onDone: (made) => setUrl(made.url),
  })
  const { mutate: revoke, isPending: isRevoking } = useChange({
    run: () => carillon.calendarFeed.remove({ workspaceId }),
    affects,
    done: () => ({ title: t('feed.revoked') }),
    onDone: () => setUrl(null),
  })
  return (
    <section aria-labelledby="feed-title" className="flex flex-col items-start gap-3">
      <h2 id="feed-title" className="text-lg font-medium">
        {t('feed.title')}
      </h2>
      <p className="max-w-[68ch] text-quiet">{t('feed.text')}</p>
      <Checkbox label={t('feed.texts')} checked={texts} onChange={setTexts} />
      {url !== null && (
        <CopyText label={t('feed.address')} text={url} copyLabel={t('feed.copy')} copiedLabel={t('feed.copied')} />
      )}
      <div className="flex flex-wrap gap-2">
        <Button isBusy={isMaking} onClick={() => make(undefined)}>
          {feed ? t('feed.renew') : t('feed.make')}
        </Button>
        {feed && (
          <Button variant="danger" isBusy={isRevoking} onClick={() => revoke(undefined)}>
            {t('feed.revoke')}
          </Button>
        )}
      </div>
    </section>
  )
}
