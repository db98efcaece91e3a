import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { meGet } from '../../api/queries.gen.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { AddressGroup } from './address-group.tsx'
import { NameForm } from './name-form.tsx'
import { PreferenceGroup } from './preference-group.tsx'

/** The person's own name, language, theme and times. They are the same in every workspace. */
export function ProfileSection() {
  const { t } = useTranslation('settings')
  const { data: me, error, refetch } = useQuery(meGet())
  if (error) return <ErrorNotice error={error} onRetry={() => void refetch()} />
  if (!me) return <SkeletonLines label={t('loading')} count={5} />
  return (
    <>
      <NameForm me={me} />
      <AddressGroup me={me} />
      <PreferenceGroup me={me} />
    </>
  )
}
