import type { SettingWords } from '../kit/setting-words.ts'

export const germanWords: SettingWords = {
  silent: { title: 'Ohne Ton', description: 'Abonnenten bekommen die Nachricht ohne Ton.' },
  linkPreview: { title: 'Vorschau des Links', description: 'Telegram zeigt unter dem Text eine Vorschau des ersten Links.' },
  protect: { title: 'Nicht weiterleiten', description: 'Die Nachricht kann nicht weitergeleitet und nicht gespeichert werden.' },
}
