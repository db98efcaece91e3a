import { Download, RefreshCw } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { saveFile } from '../actions/save-file.ts'
import { useChange } from '../actions/use-change.ts'
import { carillon } from '../api/client.ts'
import { Button } from '../ui/button.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** Fetching new figures from the platforms, and taking all of them away as a file. */
export function AnalyticsActions({ range }: { range: { from: string; to: string; label?: string } }) {
  const { t } = useTranslation('analytics')
  const { id: workspaceId, role } = useWorkspace()
  const { mutate: sync, isPending: isSyncing } = useChange({
    run: () => carillon.analytics.sync({ workspaceId }),
    affects: () => [
      ['analytics.overview', workspaceId],
      ['analytics.posts', workspaceId],
    ],
    done: (_input, { enqueued }) => ({ title: enqueued === 0 ? t('sync.nothing') : t('sync.started', { count: enqueued }) }),
  })
  const { mutate: exportCsv, isPending: isExporting } = useChange({
    run: () => carillon.analytics.export(range, { workspaceId }),
    affects: () => [],
    onDone: (csv) => saveFile(`carillon-${range.from}-${range.to}.csv`, csv),
  })
  return (
    <>
      <Button icon={<Download aria-hidden />} isBusy={isExporting} onClick={() => exportCsv(undefined)}>
        {t('export')}
      </Button>
      {role !== 'viewer' && (
        <Button icon={<RefreshCw aria-hidden />} isBusy={isSyncing} onClick={() => sync(undefined)}>
          {t('sync.button')}
        </Button>
      )}
    </>
  )
}
