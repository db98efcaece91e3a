import { CalendarDays, ChartNoAxesColumn, Files, Images, Plug, Settings } from 'lucide-react'
import type { ReactNode } from 'react'

type PlaceName = 'calendar' | 'posts' | 'media' | 'analytics' | 'integrations' | 'settings'

export type Place = { name: PlaceName; icon: ReactNode; key: string; isInPhoneBar: boolean }

/** The pages of a workspace, in the order of the navigation. `key` follows `G` on the keyboard. */
export const places: readonly Place[] = [
  { name: 'calendar', icon: <CalendarDays aria-hidden />, key: 'c', isInPhoneBar: true },
  { name: 'posts', icon: <Files aria-hidden />, key: 'p', isInPhoneBar: true },
  { name: 'media', icon: <Images aria-hidden />, key: 'm', isInPhoneBar: true },
  { name: 'analytics', icon: <ChartNoAxesColumn aria-hidden />, key: 'a', isInPhoneBar: false },
  { name: 'integrations', icon: <Plug aria-hidden />, key: 'i', isInPhoneBar: false },
  { name: 'settings', icon: <Settings aria-hidden />, key: 's', isInPhoneBar: false },
]
