import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { Plug } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import { simulatedPlatforms } from '../api/integrations.ts'
import { TrySimulated } from '../connections/try-simulated.tsx'
import { buttonLook } from '../ui/button.tsx'
import { Card } from '../ui/card.tsx'
import { PageHeader } from '../ui/page-header.tsx'
import { useMay, useWorkspace } from './use-workspace.ts'

/** The first page of a new workspace: how to get accounts into it. */
export function StartPage() {
  const { t } = useTranslation('people')
  const { id, name } = useWorkspace()
  const mayConnect = useMay('admin')
  const { data: simulated = [] } = useQuery(simulatedPlatforms())
  if (!mayConnect) return <PageHeader title={t('start.title', { name })} description={t('start.askAdmin')} />
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader title={t('start.title', { name })} description={t('start.intro')} />
      <div className="grid gap-4 sm:grid-cols-2">
        {simulated.length > 0 && (
          <Card className="flex flex-col gap-3">
            <h2 className="font-serif text-lg">{t('start.simulatedTitle')}</h2>
            <p className="flex-1 text-quiet">{t('start.simulated')}</p>
            <TrySimulated />
          </Card>
        )}
        <Card className="flex flex-col gap-3">
          <h2 className="font-serif text-lg">{t('start.realTitle')}</h2>
          <p className="flex-1 text-quiet">{t('start.real')}</p>
          <Link
            to="/w/$workspaceId/integrations"
            params={{ workspaceId: id }}
            className={buttonLook({ variant: simulated.length > 0 ? 'secondary' : 'primary' })}
          >
            <Plug aria-hidden />
            {t('start.connect')}
          </Link>
        </Card>
      </div>
    </div>
  )
}
