import { useQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { lazy, Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { workspacesApiKeys } from '../api/queries.gen.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { SkeletonLines } from '../ui/skeleton.tsx'
import { useFocusAfterRemoval } from '../ui/use-focus-after-removal.ts'
import { useWorkspace } from '../workspaces/use-workspace.ts'
import { ApiKeyRow } from './api-key-row.tsx'

const CreateKeyDialog = lazy(async () => ({ default: (await import('./create-key-dialog.tsx')).CreateKeyDialog }))

/** The keys with which programs use the API. Only for admins: the server refuses the list to others. */
export function ApiKeys() {
  const { t } = useTranslation('keys')
  const { id: workspaceId } = useWorkspace()
  const { data: keys, error, refetch } = useQuery(workspacesApiKeys(workspaceId))
  const [isCreating, setIsCreating] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  useFocusAfterRemoval(keys?.length ?? 0, heading)
  const create = (
    <Button icon={<Plus aria-hidden />} onClick={() => setIsCreating(true)}>
      {t('create.open')}
    </Button>
  )
  return (
    <section aria-labelledby="api-keys" className="flex flex-col gap-4">
      <div className="flex flex-wrap items-end justify-between gap-x-6 gap-y-3">
        <div>
          <h2 id="api-keys" ref={heading} tabIndex={-1} className="font-serif text-xl outline-none">
            {t('title')}
          </h2>
          <p className="mt-1 max-w-[68ch] text-sm text-quiet">
            {t('intro')} <a href="/docs">{t('docs')}</a>
          </p>
        </div>
        {keys && keys.length > 0 && create}
      </div>
      {error && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {!error && !keys && <SkeletonLines label={t('loading')} />}
      {keys?.length === 0 && (
        <div className="rounded-card border border-dashed border-line">
          <EmptyState title={t('empty.title')} icon={<KeyRound aria-hidden />} actions={create}>
            {t('empty.sentence')}
          </EmptyState>
        </div>
      )}
      {keys && keys.length > 0 && (
        <ul className="divide-y divide-line rounded-card border border-line bg-surface">
          {keys.map((key) => (
            <ApiKeyRow key={key.id} apiKey={key} />
          ))}
        </ul>
      )}
      {isCreating && (
        <Suspense>
          <CreateKeyDialog onClose={() => setIsCreating(false)} />
        </Suspense>
      )}
    </section>
  )
}
