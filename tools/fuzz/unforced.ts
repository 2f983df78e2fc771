// Documented statuses that no request of a run can bring about by itself, each with the reason.

const BUSY = "needs more at once than the server does at once; a run sends few at once";
const LIMITED = "the limits are off, since all requests of a run come from one address";

const LINKLESS = "needs the link of a letter, and none arrives";

/** By `operation status`, or by the status alone. */
const REASONS: Readonly<Record<string, string>> = {
  "429": LIMITED,
  "503": BUSY,
  "507": "needs a full disk",
  "getHealth 503": "needs a database that doesn't answer",
  "getReadiness 503": "needs a server that is starting or stopping",
  "runDoctor 409": BUSY,
  "startDoctorRun 409": BUSY,
  "cancelJob 202": BUSY,
  "updateGeoIp 409": BUSY,
  "updateGeoIp 400": "needs a server without the provider's key",
  "updateGeoIp 500": "needs a folder that can't be written",
  "updateGeoIp 502": "needs a provider that fails",
  "getLibraryLanguages 404": "needs a service without books",
  "showMailStop 404": "needs a service without letters",
  "downloadFile 403": "needs a language whose readers confirm their address",
  "showConfirmation 200": LINKLESS,
  "showConfirmation 410": LINKLESS,
  "confirmAddress 200": LINKLESS,
  "confirmAddress 410": LINKLESS,
  "stopMail 404": "needs a service without letters",
  "getSitemap 404": "needs a service without PUBLIC_BASE_URL",
  "getRobots 404": "needs a service without the library",
  "renewDownloadLink 410": "needs a link of the day before, whose contact and book are still there",
  "getLibraryBookReady 410": "needs a link to the page's book that was good ten minutes before",
  "getLibraryWholeReady 410": "needs a link to the language's books that was good ten minutes before",
  "requestPasswordReset 404": "needs a service without letters",
  "getPasswordReset 200": LINKLESS,
  "getPasswordReset 410": LINKLESS,
  "setPasswordByLink 200": LINKLESS,
  "setPasswordByLink 410": LINKLESS,
  "createWebhook 409": "needs ten webhooks, or a service without PUBLIC_BASE_URL",
  "listBookLinks 409": "needs a service without an address for readers",
  "getBookQr 409": "needs a service without an address for readers, or an address of more than 2331 bytes",
  "deleteChannel 409": "needs a library of this channel alone, whose other pages would be empty",
  "replaceFile 409": "needs another request that changes the file's type during the upload",
};

export const findReason = (operation: string, status: number): string | undefined =>
  REASONS[`${operation} ${status}`] ?? REASONS[String(status)];
