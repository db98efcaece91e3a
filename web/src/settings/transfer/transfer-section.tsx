import { Download } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../../actions/save-file.ts'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { Button } from '../../ui/button.tsx'
import { useMay } from '../../workspaces/use-may.ts'
import { useAccess } from '../use-access.ts'
import { FeedCard } from './feed-card.tsx'
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
