import type { Me } from '@carillon/sdk'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { carillon } from '../../api/client.ts'
import { ErrorNotice } from '../../errors/error-notice.tsx'
import { useSubmit } from '../../people/use-submit.ts'
import { browserZone } from '../../time/format-time.ts'
import { Button } from '../../ui/button.tsx'
import { showToast } from '../../ui/overlay/show-toast.ts'
import { ZoneField } from '../../schedule/zone-field.tsx'

export function ZoneForm({ me }: { me: Me }) {
  const { t } = useTranslation('settings')
  const queryClient = useQueryClient()
  const { onSubmit, isPending, error, fieldErrors } = useSubmit(
    ({ timezone = '' }) => carillon.me.update({ timezone: timezone.trim() === '' ? null : timezone.trim() }),
    () => {
      void queryClient.invalidateQueries({ queryKey: ['me.get'] })
      showToast({ title: t('saved') })
    },
  )
  return (
    <form onSubmit={onSubmit} className="flex max-w-xl flex-col gap-3">
      {error && <ErrorNotice error={error} hidesDetails />}
      <ZoneField
        label={t('profile.zone')}
        hint={t('profile.zoneHint')}
        defaultValue={me.timezone ?? ''}
        emptyMeans={browserZone()}
        isRequired={false}
        error={fieldErrors['timezone']}
      />
      <Button type="submit" isBusy={isPending} className="self-start">
        {t('profile.saveZone')}
      </Button>
    </form>
  )
}
