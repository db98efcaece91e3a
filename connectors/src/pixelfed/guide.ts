import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-19',
  summary: {
    en: 'Nothing to set up. Carillon registers itself at each server when its first account is connected.',
    de: 'Nichts einzurichten. Carillon meldet sich bei jedem Server selbst an, wenn dort das erste Konto verbunden wird.',
  },
  facts: {
    who: { en: 'Everybody, on any server that lets programs register', de: 'Alle, auf jedem Server, der Programme zulässt' },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The person removes the app in the settings of their server. Carillon renews the permission each year.',
      de: 'Die Person entfernt die App in den Einstellungen ihres Servers. Carillon erneuert die Berechtigung jedes Jahr.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter the address of the server, such as pixelfed.social. Its consent page shows your name and these permissions.',
          de: 'Gib die Adresse des Servers ein, etwa pixelfed.social. Seine Zustimmungsseite zeigt deinen Namen und diese Berechtigungen.',
        },
        {
          en: 'Each post needs a picture or a video. An account that was never used must be opened in a browser once.',
          de: 'Jeder Beitrag braucht ein Bild oder ein Video. Ein nie benutztes Konto muss einmal im Browser geöffnet werden.',
        },
      ],
      values: ['name', 'scopes'],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'The server has no page for programs', de: 'Der Server hat keine Seite für Programme' },
      cure: {
        en: 'Who runs it must switch OAuth on, with `OAUTH_ENABLED` and `PF_ALLOW_APP_REGISTRATION`.',
        de: 'Wer ihn betreibt, muss OAuth einschalten, mit `OAUTH_ENABLED` und `PF_ALLOW_APP_REGISTRATION`.',
      },
    },
    {
      sign: { en: 'A video is refused', de: 'Ein Video wird abgelehnt' },
      cure: {
        en: 'As it is installed, Pixelfed takes pictures only. Who runs the server adds `video/mp4` to `MEDIA_TYPES`.',
        de: 'So wie es installiert wird, nimmt Pixelfed nur Bilder. Wer den Server betreibt, ergänzt `video/mp4` in `MEDIA_TYPES`.',
      },
    },
    {
      sign: { en: 'The storage of the account is full', de: 'Der Speicher des Kontos ist voll' },
      cure: {
        en: 'A server gives each account a gigabyte, if it has not set `MAX_ACCOUNT_SIZE`. Delete posts there.',
        de: 'Ein Server gibt jedem Konto ein Gigabyte, wenn er `MAX_ACCOUNT_SIZE` nicht gesetzt hat. Lösche dort Beiträge.',
      },
    },
  ],
  sources: [
    { url: 'https://github.com/pixelfed/pixelfed/blob/dev/app/Http/Controllers/Api/ApiV1Controller.php', on: '2026-11-19' },
    { url: 'https://github.com/pixelfed/pixelfed/blob/dev/config/pixelfed.php', on: '2026-11-19' },
  ],
}
