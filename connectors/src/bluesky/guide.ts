import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-17',
  summary: {
    en: 'Nothing to set up. Everybody connects with an app password of their own account.',
    de: 'Nichts einzurichten. Alle verbinden sich mit einem App-Passwort des eigenen Kontos.',
  },
  facts: {
    who: { en: 'Everybody', de: 'Alle' },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The person deletes the app password or changes the password of the account.',
      de: 'Die Person löscht das App-Passwort oder ändert das Passwort des Kontos.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make an app password', de: 'App-Passwort anlegen' },
      text: [
        {
          en: 'In Bluesky: *Settings → Privacy and security → App passwords → Add App Password*. Leave access to direct messages off.',
          de: 'In Bluesky: *Settings → Privacy and security → App passwords → Add App Password*. Lass den Zugriff auf Direktnachrichten aus.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the handle without @ and the app password. An account that is not on bsky.social also needs the address of its server.',
          de: 'Gib den Handle ohne @ und das App-Passwort ein. Ein Konto, das nicht auf bsky.social liegt, braucht auch die Adresse seines Servers.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The sign-in is refused', de: 'Die Anmeldung wird abgelehnt' },
      cure: {
        en: 'Use an app password, not the password of the account, and the handle with its domain.',
        de: 'Nimm ein App-Passwort, nicht das Passwort des Kontos, und den Handle mit seiner Domain.',
      },
    },
  ],
  sources: [{ url: 'https://docs.bsky.app/docs/get-started', on: '2026-11-17' }],
}
