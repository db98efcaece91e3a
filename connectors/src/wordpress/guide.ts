import type { Guide } from '../kit/guide.ts'

export const guide: Guide = {
  checkedOn: '2026-11-18',
  summary: {
    en: 'Nothing to set up. Whoever may publish on a site of their own makes an application password there, and connects with it.',
    de: 'Nichts einzurichten. Wer auf einer eigenen Website veröffentlichen darf, legt dort ein Anwendungspasswort an und verbindet damit.',
  },
  facts: {
    who: {
      en: 'Everybody with the role of an author, an editor or an administrator, on any site with WordPress 5.6 or newer',
      de: 'Alle mit der Rolle Autor, Redakteur oder Administrator, auf jeder Website mit WordPress ab 5.6',
    },
    money: { en: 'None', de: 'Keine' },
    wait: { en: 'None', de: 'Keine' },
    ends: {
      en: 'The person takes the application password back, or loses the role.',
      de: 'Die Person widerruft das Anwendungspasswort oder verliert die Rolle.',
    },
  },
  app: null,
  steps: [
    {
      title: { en: 'Make an application password', de: 'Anwendungspasswort anlegen' },
      text: [
        {
          en: 'Open `/wp-admin/profile.php` of the site. Under Application Passwords, enter a name such as Carillon and add it. WordPress shows 24 letters and digits, once.',
          de: 'Öffne `/wp-admin/profile.php` der Website. Gib unter „Anwendungspasswörter“ einen Namen wie Carillon ein und füge es hinzu. WordPress zeigt einmal 24 Buchstaben und Ziffern.',
        },
        {
          en: 'The section is missing on sites without https, and where a security plugin has switched it off.',
          de: 'Der Abschnitt fehlt auf Websites ohne https, und wenn ein Sicherheits-Plugin ihn abgeschaltet hat.',
        },
      ],
    },
    {
      title: { en: 'Connect', de: 'Verbinden' },
      text: [
        {
          en: 'Enter your user name, the application password, and as the server the address of the site, such as `blog.example` or `https://example.com/blog`.',
          de: 'Gib deinen Benutzernamen, das Anwendungspasswort und als Server die Adresse der Website ein, etwa `blog.example` oder `https://example.com/blog`.',
        },
      ],
    },
  ],
  review: null,
  problems: [
    {
      sign: { en: 'No WordPress answers at this address', de: 'Unter der Adresse antwortet kein WordPress' },
      cure: {
        en: 'Open the address with `/wp-json/` at its end. If that shows no JSON, choose permalinks other than “Plain” under `/wp-admin/options-permalink.php`, and look for a plugin that blocks the REST API.',
        de: 'Öffne die Adresse mit `/wp-json/` am Ende. Zeigt sie kein JSON, wähle unter `/wp-admin/options-permalink.php` andere Permalinks als „Einfach“, und suche nach einem Plugin, das die REST-API sperrt.',
      },
    },
    {
      sign: { en: 'The sign-in is refused', de: 'Die Anmeldung wird abgelehnt' },
      cure: {
        en: 'Use an application password and not the one of the account. Some servers take the header `Authorization` away before WordPress sees it; ask who runs yours.',
        de: 'Nimm ein Anwendungspasswort und nicht das des Kontos. Manche Server entfernen den Header `Authorization`, bevor WordPress ihn sieht; frage, wer deinen betreibt.',
      },
    },
    {
      sign: { en: 'A file is refused', de: 'Eine Datei wird abgelehnt' },
      cure: {
        en: 'The server limits uploads with `upload_max_filesize` and `post_max_size` of PHP, often to a few megabytes.',
        de: 'Der Server begrenzt Uploads mit `upload_max_filesize` und `post_max_size` von PHP, oft auf wenige Megabyte.',
      },
    },
    {
      sign: { en: 'The address is refused', de: 'Die Adresse wird abgelehnt' },
      cure: {
        en: 'Private addresses are called only if the operator allows their network with `CARILLON_EGRESS_ALLOW`.',
        de: 'Private Adressen werden nur gerufen, wenn der Betreiber ihr Netz mit `CARILLON_EGRESS_ALLOW` erlaubt.',
      },
    },
  ],
  sources: [
    { url: 'https://developer.wordpress.org/rest-api/using-the-rest-api/authentication/', on: '2026-11-14' },
    { url: 'https://developer.wordpress.org/rest-api/using-the-rest-api/discovery/', on: '2026-11-14' },
  ],
}
