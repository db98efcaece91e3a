import type { Import } from '@carillon/sdk'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../../actions/use-change.ts'
import { carillon } from '../../api/client.ts'
import { workspacesConnections } from '../../api/queries.gen.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { NativeSelect } from '../../ui/form/native-select.tsx'
import { Cell, HeadCell, Table } from '../../ui/table.tsx'
import { useAccess } from '../use-access.ts'

const formats = ['csv', 'jsonl', 'postiz', 'mixpost', 'buffer'] as const
type Format = (typeof formats)[number]
type Options = { dryRun: boolean; placement: 'draft' | 'scheduled'; oldQueueStopped?: boolean; accounts?: Record<string, string> }

/** A file is read and shown row by row before anything is stored. */
export function ImportCard() {
  const { t } = useTranslation('transfer')
  const { workspaceId } = useAccess()
  const [format, setFormat] = useState<Format>('csv')
  const [found, setFound] = useState<Import | null>(null)
  const [accounts, setAccounts] = useState<Record<string, string>>({})
  const [isStopped, setIsStopped] = useState(false)
  const affects = () => [
    ['content.list', workspaceId],
    ['content.calendar', workspaceId],
  ]
  const { mutate: read, isPending: isReading } = useChange({
    run: async (file: File) => {
      const body = { format, name: file.name.slice(0, 200), content: await file.text() }
      return readOn(workspaceId, await carillon.imports.create(body, { workspaceId }), { dryRun: true, placement: 'draft' })
    },
    affects,
    onDone: setFound,
  })
  const { mutate: run, isPending: isRunning } = useChange({
    run: async ({ id, ...options }: Options & { id: string }) =>
      readOn(workspaceId, await carillon.imports.run(id, options, { workspaceId }), options),
    affects,
    onDone: setFound,
  })
  const start = (options: Options) => found && run({ id: found.id, accounts, ...options })
  return (
    <section aria-labelledby="import-title" className="flex flex-col items-start gap-3">
      <h2 id="import-title" className="text-lg font-medium">
        {t('import.title')}
      </h2>
      <p className="max-w-[68ch] text-quiet">{t('import.text')}</p>
      <div className="flex flex-wrap items-center gap-3">
        <NativeSelect
          label={t('import.format')}
          value={format}
          onChange={(value) => setFormat(formats.find((each) => each === value) ?? 'csv')}
        >
          {formats.map((each) => (
            <option key={each} value={each}>
              {t(`formats.${each}`)}
            </option>
          ))}
        </NativeSelect>
        <input
          type="file"
          aria-label={t('import.file')}
          disabled={isReading}
          onChange={({ target }) => {
            const [file] = target.files ?? []
            if (file) read(file)
            target.value = ''
          }}
        />
      </div>
      {found && (
        <>
          <AccountChoices found={found} chosen={accounts} onChoose={(name, slug) => setAccounts({ ...accounts, [name]: slug })} />
          <ImportTable found={found} />
          <Checkbox label={t('import.stopped')} note={t('import.stoppedNote')} checked={isStopped} onChange={setIsStopped} />
          <div className="flex flex-wrap gap-2">
            <Button isBusy={isRunning} onClick={() => start({ dryRun: true, placement: isStopped ? 'scheduled' : 'draft' })}>
              {t('import.again')}
            </Button>
            <Button variant="primary" isBusy={isRunning} onClick={() => start({ dryRun: false, placement: 'draft' })}>
              {t('import.drafts')}
            </Button>
            <Button
              isBusy={isRunning}
              disabled={!isStopped}
              onClick={() => start({ dryRun: false, placement: 'scheduled', oldQueueStopped: isStopped })}
            >
              {t('import.schedule')}
            </Button>
          </div>
        </>
      )}
    </section>
  )
}

/** A long file takes several requests. */
async function readOn(workspaceId: string, first: Import, options: Options): Promise<Import> {
  let part = first
  const rows = [...part.rows]
  while (part.next !== null) {
    part = await carillon.imports.run(part.id, { ...options, from: part.next }, { workspaceId })
    rows.push(...part.rows)
  }
  return { ...part, rows }
}

type ChoicesProps = { found: Import; chosen: Readonly<Record<string, string>>; onChoose: (name: string, slug: string) => void }

/** The accounts of the file for which none of the workspace was found. */
function AccountChoices({ found, chosen, onChoose }: ChoicesProps) {
  const { t } = useTranslation('transfer')
  const { workspaceId } = useAccess()
  const { data: connections = [] } = useQuery(workspacesConnections(workspaceId))
  const open = found.accounts.filter(({ connection }) => connection === null)
  if (open.length === 0) return null
  return (
    <ul aria-label={t('import.accounts')} className="flex flex-col gap-2">
      {open.map(({ account }) => (
        <li key={account} className="flex flex-wrap items-center gap-2">
          <span className="min-w-40 wrap-anywhere">{account}</span>
          <NativeSelect
            label={t('import.accountFor', { account })}
            value={chosen[account] ?? ''}
            onChange={(slug) => slug !== '' && onChoose(account, slug)}
          >
            <option value="">{t('import.choose')}</option>
            {connections.map(({ id, slug, displayName, platform }) => (
              <option key={id} value={slug}>{`${displayName} (${platform})`}</option>
            ))}
          </NativeSelect>
        </li>
      ))}
    </ul>
  )
}

/** What would become of each row, or became of it. */
function ImportTable({ found }: { found: Import }) {
  const { t } = useTranslation('transfer')
  return (
    <Table label={t('rows.title')}>
      <thead>
        <tr>
          <HeadCell>{t('rows.row')}</HeadCell>
          <HeadCell>{t('rows.result')}</HeadCell>
          <HeadCell>{t('rows.text')}</HeadCell>
          <HeadCell>{t('rows.why')}</HeadCell>
        </tr>
      </thead>
      <tbody>
        {found.rows.map(({ row, status, placement, excerpt, message }) => (
          <tr key={row}>
            <Cell>{row}</Cell>
            <Cell className={status === 'refused' ? 'font-medium text-rust' : ''}>
              {t(`status.${status}`)}
              {placement !== null && <span className="block text-sm text-quiet">{t(`placement.${placement}`)}</span>}
            </Cell>
            <Cell className="wrap-anywhere">{excerpt}</Cell>
            <Cell className="wrap-anywhere">{message}</Cell>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
