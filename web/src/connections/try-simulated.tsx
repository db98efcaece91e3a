import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { useChange } from '../actions/use-change.ts'
import { connectSimulated, simulatedPlatforms } from '../api/integrations.ts'
import { ErrorNotice } from '../errors/error-notice.tsx'
import { Button } from '../ui/button.tsx'
import { useWorkspace } from '../workspaces/use-workspace.ts'

/** One click connects an account on every simulated platform and opens the composer. Shows nothing on an install without a simulator. */
export function TrySimulated() {
  const { t } = useTranslation('connections')
  const { id: workspaceId } = useWorkspace()
  const { data: platforms = [] } = useQuery(simulatedPlatforms())
  const navigate = useNavigate()
  const { mutate, isPending, error } = useChange({
    run: () => connectSimulated(workspaceId),
    affects: () => [['workspaces.connections', workspaceId]],
    onDone: () => void navigate({ to: '/w/$workspaceId/compose', params: { workspaceId } }),
    showsErrors: false,
  })
  if (platforms.length === 0) return null
  return (
    <>
      {error && <ErrorNotice error={error} onRetry={() => mutate()} />}
      <Button variant="primary" icon={<FlaskConical aria-hidden />} isBusy={isPending} onClick={() => mutate()}>
        {t('trySimulated')}
      </Button>
    </>
  )
}
