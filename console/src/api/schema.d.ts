// openapi.json 9b000ce84a05d2ea6fe660b3c2a13b7595734e035f0968f81e00007ef39c8736
export interface paths {
    "/api/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublishedBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/books/{slugOrId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublishedBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/books/{slugOrId}/cover": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublishedCover"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/languages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPublicLanguages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download/submit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestDownload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download/submit-all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestLanguageDownload"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["downloadFile"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/download/{token}/renewal": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["renewDownloadLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mail/{key}/stop": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showMailStop"];
        put?: never;
        post: operations["stopMail"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/mail/{token}/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showConfirmation"];
        put?: never;
        post: operations["confirmAddress"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/widget.js": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWidgetScript"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/widget/texts/{code}.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWidgetTexts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryLanguages"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryList"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/books/{slug}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryBook"];
        put?: never;
        post: operations["requestLibraryBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/all": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryWhole"];
        put?: never;
        post: operations["requestLibraryWhole"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/about": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryAbout"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/privacy": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryPrivacy"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/books/{slug}/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryBookReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/all/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryWholeReady"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/style-{hash}.css": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryStyle"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/logo-{hash}.png": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryPageLogo"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/library/{code}/new.atom": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryFeed"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemap.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitemap"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/sitemaps/{number}.xml": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSitemapPart"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/robots.txt": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getRobots"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHomePage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getHealth"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/health/ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReadiness"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/favicon": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getFavicon"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReference"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/docs/{asset}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getReferenceAsset"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getOpenApiDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/doctor": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["runDoctor"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/doctor/runs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startDoctorRun"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/doctor/last": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLastDoctorReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/jobs/{jobId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getJob"];
        put?: never;
        post?: never;
        delete: operations["cancelJob"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/login": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["login"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["logout"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSession"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/sessions/{sessionId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["endSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changePassword"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["requestPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/auth/password-reset/{token}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPasswordReset"];
        put?: never;
        post: operations["setPasswordByLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBooks"];
        put?: never;
        post: operations["createBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportBooks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBook"];
        put: operations["updateBook"];
        post?: never;
        delete: operations["deleteBook"];
        options?: never;
        head?: never;
        patch: operations["patchBook"];
        trace?: never;
    };
    "/api/admin/books/{bookId}/deletion-impact": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDeletionImpact"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["previewBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/reorder": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["reorderBooks"];
        trace?: never;
    };
    "/api/admin/books/{bookId}/links": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listBookLinks"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/qr": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getBookQr"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/restore": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["restoreBook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/actions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["runBookAction"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["bulkUpsertBooks"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/translations": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["putTranslation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/translations/{languageId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteTranslation"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/files/lookup": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["lookUpFiles"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listFiles"];
        put?: never;
        post: operations["addFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/files/examine": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["examineFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/cloud-files": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addCloudFile"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/files/{fileId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["replaceFile"];
        post?: never;
        delete: operations["deleteFile"];
        options?: never;
        head?: never;
        patch: operations["updateFile"];
        trace?: never;
    };
    "/api/admin/books/{bookId}/files/{fileId}/replaced/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteReplacedFile"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/imports/plans": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["planImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/imports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listImports"];
        put?: never;
        post: operations["createImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/imports/{importId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getImport"];
        put?: never;
        post?: never;
        delete: operations["cancelImport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/imports/{importId}/start": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["startImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/imports/{importId}/undo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["undoImport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/covers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAllCovers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/covers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listCovers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/covers/{languageCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getCover"];
        put: operations["putCover"];
        post?: never;
        delete: operations["deleteCover"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/books/{bookId}/covers/{languageCode}/replaced/{sha256}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["deleteReplacedCover"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/languages": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listLanguages"];
        put?: never;
        post: operations["createLanguage"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/languages/{langId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLanguageUsage"];
        put: operations["updateLanguage"];
        post?: never;
        delete: operations["deleteLanguage"];
        options?: never;
        head?: never;
        patch: operations["patchLanguage"];
        trace?: never;
    };
    "/api/admin/languages/{langId}/books": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSubLanguageBooks"];
        put: operations["updateSubLanguageBooks"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listChannels"];
        put?: never;
        post: operations["createChannel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/{channelId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["updateChannel"];
        post?: never;
        delete: operations["deleteChannel"];
        options?: never;
        head?: never;
        patch: operations["patchChannel"];
        trace?: never;
    };
    "/api/admin/channels/matrix": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublicationMatrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/matrix/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportPublicationMatrix"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/gaps": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getPublicationGaps"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/publications/toggle": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["togglePublication"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/channels/publications": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put: operations["changePublications"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/library": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibrary"];
        put: operations["updateLibrary"];
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["patchLibrary"];
        trace?: never;
    };
    "/api/admin/library/texts/{languageCode}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryTexts"];
        put: operations["updateLibraryTexts"];
        post?: never;
        delete: operations["deleteLibraryTexts"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/library/logo": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getLibraryLogo"];
        put: operations["putLibraryLogo"];
        post?: never;
        delete: operations["deleteLibraryLogo"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/api-keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/api-keys/{keyId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listUsers"];
        put?: never;
        post: operations["createUser"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/users/{userId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getUser"];
        put: operations["updateUser"];
        post?: never;
        delete: operations["deleteUser"];
        options?: never;
        head?: never;
        patch: operations["patchUser"];
        trace?: never;
    };
    "/api/admin/analytics/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getAnalyticsSummary"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/downloads": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDownloadEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/downloads/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportDownloadEvents"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/by-date": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownloadsByDate"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/by-book": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownloadsByBook"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/by-country": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownloadsByCountry"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/by-campaign": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownloadsByCampaign"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/by-language": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownloadsByLanguage"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/analytics/by-device": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getDownloadsByDevice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportAuditEntries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contacts": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contacts/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportContacts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/contacts/{contactId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getContact"];
        put: operations["updateContact"];
        post?: never;
        delete: operations["eraseContact"];
        options?: never;
        head?: never;
        patch: operations["patchContact"];
        trace?: never;
    };
    "/api/admin/contacts/{contactId}/personal-data": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportPersonalData"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhookId}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getWebhook"];
        put: operations["updateWebhook"];
        post?: never;
        delete: operations["deleteWebhook"];
        options?: never;
        head?: never;
        patch: operations["patchWebhook"];
        trace?: never;
    };
    "/api/admin/webhooks/{webhookId}/rotate-secret": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhookId}/test": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhookId}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhookDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/webhooks/{webhookId}/deliveries/{deliveryId}/resend": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resendWebhookDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/settings/update-geoip": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["updateGeoIp"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/admin/mail": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["getMailStatus"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        AdminBook: {
            /** Format: uuid */
            id: string;
            slug: string;
            titleEn: string;
            description: string;
            coverImagePath: string;
            sortOrder: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            archivedAt: string | null;
            archivedBy: string | null;
            publishAt: string | null;
            unpublishAt: string | null;
            legacyDownloadCount: number;
            authors: string[];
            tags: string[];
            series: {
                name: string;
                position: number | null;
            } | null;
            version: string;
            translationsCount: number;
            filesCount: number;
            languages: string[];
            totalDownloads: number;
            publishedLanguages: string[];
            fileTypes: (components["schemas"]["FileType"] | string)[];
            hasCover: boolean;
        };
        ApiKey: {
            /** Format: uuid */
            id: string;
            name: string;
            keyPrefix: string;
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            scopes: (components["schemas"]["ApiKeyScope"] | string)[];
            lastUsedAt: string | null;
            /** Format: email */
            createdBy: string;
        };
        ApiKeyCreated: {
            /** Format: uuid */
            id: string;
            name: string;
            keyPrefix: string;
            expiresAt: string | null;
            /** Format: date-time */
            createdAt: string;
            scopes: (components["schemas"]["ApiKeyScope"] | string)[];
            key: string;
        };
        ApiKeyCreation: {
            name: string;
            expiresAt?: string | null;
            scopes?: components["schemas"]["ApiKeyScope"][] | null;
        };
        /** @enum {string} */
        ApiKeyScope: "view_books" | "edit_books" | "submit_downloads";
        AuditEntry: {
            id: string;
            /** Format: date-time */
            at: string;
            actorKind: ("user" | "apiKey" | "system" | "unknown") | string;
            actorId: string | null;
            actorName: string;
            ipAddress: string | null;
            action: ("create" | "update" | "delete" | "archive" | "restore" | "reorder" | "login" | "logout" | "login_failed" | "export" | "disclose" | "start" | "cancel") | string;
            objectKind: ("book" | "translation" | "file" | "cover" | "language" | "channel" | "library" | "publication" | "visibility" | "user" | "apiKey" | "webhook" | "contact" | "downloadEvent" | "auditLog" | "job" | "import") | string;
            objectId: string;
            objectName: string;
            changes: {
                [key: string]: {
                    before?: unknown;
                    after?: unknown;
                };
            };
            requestId: string | null;
        };
        Book: {
            /** Format: uuid */
            id: string;
            slug: string;
            titleEn: string;
            description: string;
            coverImagePath: string;
            sortOrder: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            archivedAt: string | null;
            archivedBy: string | null;
            publishAt: string | null;
            unpublishAt: string | null;
            legacyDownloadCount: number;
            authors: string[];
            tags: string[];
            series: {
                name: string;
                position: number | null;
            } | null;
            version: string;
        };
        BookActionRequest: {
            bookIds: string[];
            action: {
                /** @constant */
                type: "archive";
            } | {
                /** @constant */
                type: "restore";
            } | {
                /** @constant */
                type: "addTags";
                tags: string[];
            } | {
                /** @constant */
                type: "removeTags";
                tags: string[];
            } | {
                /** @constant */
                type: "setSeries";
                series: {
                    name: string;
                    position?: number | null;
                } | null;
            } | {
                /** @constant */
                type: "publish";
                /** Format: uuid */
                channelId: string;
                languageCode: string;
            } | {
                /** @constant */
                type: "unpublish";
                /** Format: uuid */
                channelId: string;
                languageCode: string;
            };
            dryRun?: (0 | 1 | true | false) | null;
        };
        BookActionResponse: {
            results: components["schemas"]["BookActionResult"][];
        };
        BookActionResult: {
            bookId: string;
            status: ("changed" | "unchanged" | "failed") | string;
            before?: {
                tags?: string[];
                series?: {
                    name: string;
                    position: number | null;
                } | null;
                /** @enum {number} */
                isActive?: 0 | 1;
                isPublished?: boolean;
            };
            version?: string;
            error?: string;
            code?: (components["schemas"]["ErrorCode"] | string) | (components["schemas"]["FieldErrorCode"] | string);
        };
        BookCreation: {
            titleEn: string;
            slug?: string | null;
            description?: string | null;
            coverImagePath?: string | null;
            sortOrder?: number | null;
            legacyDownloadCount?: number | null;
            publishAt?: string | null;
            unpublishAt?: string | null;
            authors?: string[] | null;
            tags?: string[] | null;
            series?: {
                name: string;
                position?: number | null;
            } | null;
            isActive?: (0 | 1 | true | false) | null;
            translations?: {
                languageCode: string;
                title: string;
                description?: string | null;
                authors?: string[] | null;
                contributors?: {
                    name: string;
                    role?: string | null;
                }[] | null;
                publisher?: string | null;
                license?: string | null;
                isbn?: string | null;
            }[] | null;
        };
        BookDeleted: {
            /** @constant */
            success: true;
            book: components["schemas"]["Book"];
        } | components["schemas"]["Success"];
        BookDetails: {
            book: components["schemas"]["Book"];
            translations: components["schemas"]["Translation"][];
            files: components["schemas"]["BookFile"][];
            covers: components["schemas"]["CoverMetadata"][];
            publications: {
                /** Format: uuid */
                channelId: string;
                languageIds: number[];
            }[];
            publishedLanguages: string[];
        };
        BookFile: {
            /** Format: uuid */
            id: string;
            languageId: number;
            fileType: components["schemas"]["FileType"] | string;
            sourceType: components["schemas"]["SourceType"] | string;
            fileName: string;
            fileSizeBytes: number;
            downloadCount: number;
            languageCode: string;
            /** @enum {number} */
            isActive: 0 | 1;
            sha256: string | null;
            cloudUrl: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: string;
            replaced: components["schemas"]["ReplacedContent"][];
            remarks?: components["schemas"]["Remark"][];
        };
        BookLinks: {
            links: {
                channelId: string | null;
                channelSlug: string | null;
                languageCode: string;
                url: string;
                qrUrl: string;
            }[];
        };
        BookMove: {
            /** Format: uuid */
            bookId: string;
            sortOrder?: number | null;
            after?: string | null;
        } & ({
            sortOrder: number;
        } | {
            after: string | null;
        });
        BookOrder: {
            bookIds?: string[] | null;
            moves?: components["schemas"]["BookMove"][] | null;
        } & ({
            bookIds: string[];
        } | {
            moves: components["schemas"]["BookMove"][];
        });
        BookPlace: {
            /** Format: uuid */
            id: string;
            sortOrder: number;
            formerlyAfter?: string | null;
        };
        BookPreview: {
            book: components["schemas"]["PublicBook"] | null;
            reasons: (("archived" | "language_inactive" | "no_file" | "hidden" | "not_yet" | "no_more") | string)[];
            remarks: (("no_translation" | "no_cover") | string)[];
        };
        BookRestored: {
            /** @constant */
            success: true;
            book: {
                /** Format: uuid */
                id: string;
                slug: string;
                /** @enum {number} */
                isActive: 0 | 1;
                version: string;
            };
            reactivatedFiles: number;
        };
        BookUpdate: {
            titleEn?: string;
            slug?: string;
            description?: string | null;
            coverImagePath?: string | null;
            sortOrder?: number;
            legacyDownloadCount?: number;
            publishAt?: string | null;
            unpublishAt?: string | null;
            authors?: string[] | null;
            tags?: string[] | null;
            series?: {
                name: string;
                position?: number | null;
            } | null;
        };
        BulkAnswer: {
            summary: {
                total: number;
                created: number;
                updated: number;
                failed: number;
            };
            results: components["schemas"]["BulkResult"][];
        };
        BulkFile: {
            languageCode: string;
            fileType: components["schemas"]["FileType"];
            /** @enum {string} */
            sourceType: "google_drive" | "dropbox" | "onedrive" | "url";
            /** Format: uri */
            cloudUrl: string;
            fileName: string;
            fileSizeBytes?: number | null;
        };
        BulkItem: {
            titleEn: string;
            slug?: string | null;
            description?: string | null;
            coverImagePath?: string | null;
            sortOrder?: number | null;
            legacyDownloadCount?: number | null;
            publishAt?: string | null;
            unpublishAt?: string | null;
            authors?: string[] | null;
            tags?: string[] | null;
            series?: {
                name: string;
                position?: number | null;
            } | null;
            isActive?: (0 | 1 | true | false) | null;
            translations?: {
                languageCode: string;
                title: string;
                description?: string | null;
                authors?: string[] | null;
                contributors?: {
                    name: string;
                    role?: string | null;
                }[] | null;
                publisher?: string | null;
                license?: string | null;
                isbn?: string | null;
            }[] | null;
            files?: components["schemas"]["BulkFile"][] | null;
        };
        BulkRequest: {
            books: components["schemas"]["BulkItem"][];
        };
        BulkResult: {
            index: number;
            slug: string;
            status: ("created" | "updated" | "failed") | string;
            bookId: string;
            translationsUpserted: number;
            filesUpserted: number;
            error?: string;
            /** @constant */
            code?: "slug_of_another_title";
            errors?: components["schemas"]["Fault"][];
        };
        Channel: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            description: string;
            url: string;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            bookUrl: string | null;
            sortOrder: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: string;
        };
        ChannelCreation: {
            name: string;
            description?: string | null;
            url?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            bookUrl?: string | null;
            sortOrder?: number | null;
            isActive?: (0 | 1 | true | false) | null;
        };
        ChannelUpdate: {
            name?: string;
            description?: string | null;
            url?: string | null;
            utmSource?: string | null;
            utmMedium?: string | null;
            utmCampaign?: string | null;
            bookUrl?: string | null;
            sortOrder?: number;
            /** @enum {unknown} */
            isActive?: 0 | 1 | true | false;
        };
        CloudFileCreation: {
            languageCode: string;
            fileType: components["schemas"]["FileType"];
            /** @enum {string} */
            sourceType: "google_drive" | "dropbox" | "onedrive" | "url";
            /** Format: uri */
            cloudUrl: string;
            fileName: string;
            fileSizeBytes?: number | null;
        };
        ConfirmedAddress: {
            /** @constant */
            confirmed: true;
            downloadUrl: string;
            /** Format: date-time */
            expiresAt: string;
        };
        Consent: {
            marketing: boolean;
            textVersion: string;
            languageCode: string;
            /** Format: date-time */
            givenAt: string;
            repeatedAt: string | null;
            source: ("form" | "administrator") | string;
            eventId: string | null;
            ipAddress: string | null;
            confirmation?: ("pending" | "confirmed") | string;
            formerAddress: boolean;
        };
        ConsentForm: {
            marketing?: boolean | number | string | null;
            textVersion?: string | null;
        };
        Contact: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            firstName: string;
            lastName: string;
            phone: string;
            country: string;
            /** Format: date-time */
            firstDownloadAt: string;
            /** Format: date-time */
            lastDownloadAt: string;
            totalDownloads: number;
            version: string;
            mailState?: ("ok" | "stopped" | "failing") | string;
            verifiedAt?: string | null;
        };
        ContactEvent: {
            id: string;
            /** Format: date-time */
            downloadedAt: string;
            /** @enum {number} */
            isDownloadAll: 0 | 1;
            booksCount: number;
            countryCode: string;
            countryName: string;
            city: string;
            deviceType: string;
            browserName: string;
            bookTitle: string;
            fileType: string;
            languageName: string;
            languageCode: string;
        };
        ContactForm: {
            /** Format: email */
            email: string;
            firstName: string;
            lastName?: string | null;
            phone?: string | null;
            country?: string | null;
        };
        ContactUpdate: {
            /** Format: email */
            email?: string;
            firstName?: string;
            lastName?: string | null;
            phone?: string | null;
            country?: string | null;
            /** @constant */
            mailState?: "ok";
            /** @enum {unknown} */
            marketing?: 0 | 1 | true | false;
            textVersion?: string;
        };
        ContentRemark: {
            code: ("cover_missing" | "metadata_unreadable") | string;
            message: string;
        };
        CoverMetadata: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            bookId: string;
            languageId: number | null;
            languageCode: string;
            contentType: ("image/jpeg" | "image/png" | "image/webp") | string;
            width: number;
            height: number;
            fileSizeBytes: number;
            sha256: string;
            url: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            replaced: components["schemas"]["ReplacedContent"][];
            remarks?: components["schemas"]["Remark"][];
        };
        CreatedLanguage: {
            id: number;
            code: string;
            name: string;
            nativeName: string;
            customDomain: string | null;
            legacyDownloadCount: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            direction: components["schemas"]["Direction"] | string;
            parentId: number | null;
            /** Format: date-time */
            updatedAt: string;
            emailConfirmation: (("off" | "optional" | "required") | string) | null;
            version: string;
            suggestedParentId: number | null;
        };
        CurrentConsent: {
            state: ("none" | "agreed" | "declined" | "withdrawn" | "conflict" | "unknown_text" | "pending") | string;
            marketing: boolean;
            textVersion: string | null;
            languageCode: string | null;
            givenAt: string | null;
        };
        CurrentSession: components["schemas"]["Session"] & {
            limits: {
                maxUploadBytes: number;
                fileTypes: (("pdf" | "epub" | "mobi" | "azw3" | "kepub" | "fb2" | "djvu" | "docx" | "odt" | "rtf" | "txt" | "html" | "cbz" | "mp3" | "m4b" | "zip") | string)[];
            };
            publicSiteUrl: string | null;
            features: {
                mail: boolean;
                webhooks: boolean;
                emailConfirmation: boolean;
                oidc: boolean;
                library: boolean;
            };
            organisation: {
                name: string;
                logoUrl: string | null;
            };
            version: string;
        };
        DeletionImpact: {
            impact: {
                translations: number;
                files: number;
                localFiles: number;
                fileBytes: number;
                covers: number;
                publications: number;
                visibilityOverrides: number;
                downloadEvents: number;
            };
        };
        DeliveryAccepted: {
            /** Format: uuid */
            deliveryId: string;
        };
        /** @enum {string} */
        Direction: "ltr" | "rtl";
        DoctorReport: {
            isHealthy: boolean;
            /** Format: date-time */
            checkedAt: string;
            checks: {
                check: ("damaged_database" | "broken_reference" | "foreign_trigger" | "foreign_table" | "missing_constraint" | "missing_index" | "missing_bytes" | "unreadable_bytes" | "changed_bytes" | "orphaned_bytes" | "many_orphaned_bytes" | "language_without_files" | "translation_without_file" | "published_without_file" | "library_channel" | "stale_search_texts" | "search_index_missing" | "misplaced_file" | "similar_books" | "equal_files" | "cloud_link_broken" | "geoip_stale" | "clock_ahead" | "clock_differs" | "overdue_readers" | "unwritten_redemptions" | "trusted_readers" | "webhook_disabled" | "webhook_secret" | "outbox_held" | "outbox_dropped" | "mail_server" | "images_unavailable") | string;
                found: number;
            }[];
            examined: {
                files: number;
                covers: number;
                bytes: number;
                cloudLinks: number;
                removedFiles: number;
                removedBytes: number;
                replacedFiles: number;
                replacedBytes: number;
            };
            findings: components["schemas"]["Finding"][];
        };
        DoctorRunRequest: {
            deep?: (0 | 1 | true | false) | null;
            cloud?: (0 | 1 | true | false) | null;
        };
        DownloadEvent: components["schemas"]["PersonalEvent"] & {
            contactEmail: string;
            contactFirstName: string;
            contactLastName: string;
        } & {
            bookId: string | null;
            languageId: number;
            contactId: string | null;
        };
        DownloadLink: {
            downloadUrl: string;
            /** Format: date-time */
            expiresAt: string;
            fileName: string;
            fileSizeBytes: number;
            fileType: components["schemas"]["FileType"] | string;
            /** Format: email */
            emailSuggestion?: string;
            confirmation?: ("none" | "sent" | "required") | string;
        };
        DownloadRequest: {
            bookId?: string | null;
            slug?: string | null;
            languageCode: string;
            fileType?: components["schemas"]["FileType"] | null;
            fileId?: string | null;
            contact: components["schemas"]["ContactForm"];
            consent?: components["schemas"]["ConsentForm"] | null;
            reader?: components["schemas"]["ReaderForm"] | null;
        } & ({
            /** Format: uuid */
            bookId: string;
        } | {
            slug: string;
        });
        DownloadsOfBook: {
            /** Format: uuid */
            bookId: string;
            bookTitle: string;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
            redeemed: number;
            legacyDownloads: number;
        };
        DownloadsOfCampaign: {
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
            redeemed: number;
        };
        DownloadsOfCountry: {
            countryCode: string;
            countryName: string;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
            redeemed: number;
        };
        DownloadsOfDevice: {
            deviceType: string;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
            redeemed: number;
        };
        DownloadsOfLanguage: {
            languageId: number;
            languageCode: string;
            languageName: string;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
            redeemed: number;
            legacyDownloads: number;
        };
        DownloadsOfPeriod: {
            /** Format: date */
            date: string;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
            redeemed: number;
        };
        Error: {
            /** Format: uri */
            type: string;
            title: string;
            status: number;
            detail: string;
            /** Format: uri-reference */
            instance: string;
            code: components["schemas"]["ErrorCode"] | string;
            error: string;
            requestId: string;
            may_have_been_done?: boolean;
            progress?: {
                done: number;
                of: number;
            };
            current?: components["schemas"]["Book"] | components["schemas"]["Translation"] | components["schemas"]["BookFile"] | components["schemas"]["Language"] | components["schemas"]["Channel"] | components["schemas"]["Contact"] | components["schemas"]["Library"] | components["schemas"]["LibraryTexts"] | components["schemas"]["Webhook"];
            lastChange?: {
                /** Format: date-time */
                at: string;
                by: string;
            };
            errors?: components["schemas"]["Fault"][];
        };
        /** @enum {string} */
        ErrorCode: "address_too_long" | "api_key_not_found" | "archive_in_preparation" | "archive_unavailable" | "body_incomplete" | "body_missing" | "body_too_large" | "book_archived" | "book_not_archived" | "book_not_found" | "cache_busy" | "changed_meanwhile" | "channel_in_use" | "channel_not_found" | "clock_wrong" | "cloud_link_is_a_folder" | "confirmation_expired" | "confirmation_unknown" | "consent_version_needed" | "contact_erased" | "contact_not_found" | "content_missing" | "content_unknown" | "cover_not_found" | "cover_unavailable" | "cross_site_request" | "custom_domain_taken" | "database_unavailable" | "delivery_not_found" | "delivery_waiting" | "disk_full" | "doctor_running" | "download_renewal_expired" | "download_token_expired" | "download_token_unknown" | "email_not_confirmed" | "email_taken" | "file_empty" | "file_is_uploaded" | "file_not_found" | "file_too_large" | "file_type_changed" | "file_type_needed" | "file_unavailable" | "file_unreadable" | "foreign_origin" | "geoip_key_missing" | "geoip_not_stored" | "geoip_provider_failed" | "geoip_update_running" | "headers_too_large" | "host_missing" | "image_invalid" | "image_too_large" | "image_type_unsupported" | "images_busy" | "images_unavailable" | "import_done" | "import_not_ended" | "import_not_found" | "import_running" | "import_undo_expired" | "invalid_input" | "job_not_found" | "job_running" | "language_code_taken" | "language_not_found" | "languages_missing" | "last_admin" | "letters_stopped" | "login_busy" | "logo_not_found" | "mail_not_configured" | "malformed_address" | "malformed_condition" | "malformed_form" | "malformed_json" | "malformed_multipart" | "malformed_query" | "method_not_allowed" | "no_letters" | "no_public_site" | "not_a_sub_language" | "not_found" | "not_published" | "nothing_to_download" | "partial_content" | "password_already_set" | "permission_missing" | "precondition_failed" | "public_base_url_missing" | "publication_inherited" | "range_not_satisfiable" | "replaced_not_found" | "reports_in_preparation" | "reset_expired" | "reset_unknown" | "route_not_found" | "server_error" | "session_not_found" | "slug_taken" | "starting" | "stopping" | "storage_unavailable" | "too_many_letters" | "too_many_requests" | "too_many_responses" | "too_many_webhooks" | "translation_not_found" | "unauthenticated" | "unknown_file_type" | "unsupported_charset" | "unsupported_encoding" | "unsupported_media_type" | "upload_aborted" | "user_not_found" | "webhook_address_refused" | "webhook_not_found" | "wrong_credentials" | "wrong_file_type" | "wrong_password";
        ExaminedFile: {
            fileType: (components["schemas"]["FileType"] | string) | null;
            fileSizeBytes: number;
            sha256: string;
            metadata: {
                title: string | null;
                languageCode: string | null;
                description: string | null;
                authors: string[];
                tags: string[];
                series: {
                    name: string;
                    position: number | null;
                } | null;
                contributors: {
                    name: string;
                    role: string;
                }[];
                publisher: string | null;
                license: string | null;
                isbn: string | null;
            } | null;
            hasCover: boolean;
            knownAs: {
                /** Format: uuid */
                bookId: string;
                /** Format: uuid */
                fileId: string;
                languageCode: string;
            }[];
            remarks: components["schemas"]["ContentRemark"][];
            errors: string[];
            errorCodes: (("content_unfit" | "books_inside") | string)[];
        };
        Fault: {
            in: ("path" | "query" | "body") | string;
            path: string;
            message: string;
            code: components["schemas"]["FieldErrorCode"] | string;
            suggestion?: string;
        };
        /** @enum {string} */
        FieldErrorCode: "after_itself" | "archived_book" | "cloud_link_is_a_folder" | "common_password" | "contradiction" | "damaged_letters" | "end_before_start" | "exactly_one_needed" | "expiry_in_past" | "file_type_needed" | "impossible_date" | "inactive_account" | "inherited_publication" | "invalid_characters" | "invalid_date" | "invalid_element" | "invalid_email" | "invalid_field_name" | "invalid_format" | "invalid_isbn" | "invalid_key" | "invalid_language_code" | "invalid_type" | "invalid_union" | "invalid_value" | "limit_field_array_index" | "limit_field_count" | "limit_field_key" | "limit_field_nesting" | "limit_field_value" | "limit_file_count" | "limit_file_size" | "limit_part_count" | "limit_unexpected_file" | "mail_not_configured" | "marketing_needed" | "missing" | "missing_books" | "missing_cloud_url" | "missing_field_name" | "missing_language" | "missing_slug" | "mixed_moves" | "not_changeable" | "not_multiple_of" | "repeated_book" | "repeated_file" | "repeated_language" | "repeated_publication" | "repeated_slug" | "slug_of_another_title" | "text_version_needed" | "too_big" | "too_many_cities" | "too_many_marks" | "too_many_periods" | "too_many_spellings" | "too_many_titles" | "too_many_words" | "too_small" | "unfit_parent" | "unknown_book" | "unknown_channel" | "unknown_field" | "unknown_language" | "unknown_text_version" | "unknown_timezone" | "url_host_not_public" | "url_malformed" | "url_not_https" | "url_of_another_provider" | "url_port_not_allowed" | "url_too_long" | "url_with_credentials" | "wrong_password";
        FileDeleted: {
            /** @constant */
            success: true;
            stillPublished: boolean;
        };
        FileLookup: {
            sha256: string[];
        };
        /** @enum {string} */
        FileType: "pdf" | "epub" | "mobi" | "azw3" | "kepub" | "fb2" | "djvu" | "docx" | "odt" | "rtf" | "txt" | "html" | "cbz" | "mp3" | "m4b" | "zip";
        FileUpdate: {
            fileName?: string;
            sourceType?: components["schemas"]["SourceType"];
            fileSizeBytes?: number | null;
            languageCode?: string;
            fileType?: components["schemas"]["FileType"];
            /** @enum {unknown} */
            isActive?: 0 | 1 | true | false;
            cloudUrl?: string | null;
        };
        Finding: {
            check: ("damaged_database" | "broken_reference" | "foreign_trigger" | "foreign_table" | "missing_constraint" | "missing_index" | "missing_bytes" | "unreadable_bytes" | "changed_bytes" | "orphaned_bytes" | "many_orphaned_bytes" | "language_without_files" | "translation_without_file" | "published_without_file" | "library_channel" | "stale_search_texts" | "search_index_missing" | "misplaced_file" | "similar_books" | "equal_files" | "cloud_link_broken" | "geoip_stale" | "clock_ahead" | "clock_differs" | "overdue_readers" | "unwritten_redemptions" | "trusted_readers" | "webhook_disabled" | "webhook_secret" | "outbox_held" | "outbox_dropped" | "mail_server" | "images_unavailable") | string;
            severity: ("error" | "warning") | string;
            object: {
                kind: ("database" | "book" | "file" | "cover" | "bytes" | "language" | "translation" | "publication" | "geoip" | "clock" | "events" | "setting" | "webhook" | "outbox" | "images") | string;
                id: string;
                name: string;
            };
            message: string;
            advice: string;
        };
        GeoIpUpdate: {
            /** @constant */
            success: true;
            message: string;
            fileSize: number;
        };
        Health: {
            /** @constant */
            status: "ok";
            /** Format: date-time */
            timestamp: string;
        };
        Import: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            ownerId: string;
            state: ("collecting" | "running" | "done" | "failed" | "cancelled") | string;
            jobId: string | null;
            archived: boolean;
            filesCount: number;
            progress: {
                files: number;
                books: number;
            };
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
            error: {
                code: string;
                message: string;
            } | null;
            undo: components["schemas"]["ImportUndo"] | null;
            undoDays: number;
            undoableUntil: string | null;
            missing: string[];
            result: components["schemas"]["ImportResult"] | null;
        };
        ImportCorrection: {
            path?: string | null;
            line?: number | null;
            column?: string | null;
            value?: string | null;
            languageCode?: string | null;
            fileType?: components["schemas"]["FileType"] | null;
            title?: string | null;
            book?: ("new" | string) | null;
            leaveOut?: (0 | 1 | true | false) | null;
        };
        ImportCreation: {
            files: {
                path: string;
                sha256: string;
            }[];
            catalogue?: {
                name: string;
                text?: string | null;
                sha256?: string | null;
                ignoreUnknownColumns?: (0 | 1 | true | false) | null;
            } | null;
            corrections?: components["schemas"]["ImportCorrection"][] | null;
            rules?: components["schemas"]["ImportRules"] | null;
            archived?: (0 | 1 | true | false) | null;
        };
        ImportNotice: {
            code: ("other_catalogues" | "other_sheets" | "unknown_columns" | "later_value") | string;
            message: string;
            names: string[];
            line?: number;
            column?: string;
        };
        ImportPlan: {
            books: components["schemas"]["PlannedBook"][];
            languages: components["schemas"]["PlannedLanguage"][];
            leftOut: components["schemas"]["LeftOutFile"][];
            notices: components["schemas"]["ImportNotice"][];
        };
        ImportPlanRequest: {
            files: {
                path: string;
                sha256: string;
            }[];
            catalogue?: {
                name: string;
                text?: string | null;
                sha256?: string | null;
                ignoreUnknownColumns?: (0 | 1 | true | false) | null;
            } | null;
            corrections?: components["schemas"]["ImportCorrection"][] | null;
            rules?: components["schemas"]["ImportRules"] | null;
        };
        ImportResult: {
            books: {
                slug: string;
                bookId: string | null;
                titleEn: string;
                status: ("create" | "update" | "unchanged" | "unsure" | "failed") | string;
                files: {
                    path: string;
                    languageCode: string;
                    fileType: components["schemas"]["FileType"] | string;
                    title: string | null;
                    status: ("create" | "replace" | "differs" | "unchanged" | "known" | "failed") | string;
                    knownAs?: ({
                        /** Format: uuid */
                        bookId: string;
                        /** Format: uuid */
                        fileId: string;
                        languageCode: string;
                    } | {
                        path: string;
                    })[];
                    remarks: components["schemas"]["PlannedRemark"][];
                }[];
                covers: {
                    path: string;
                    languageCode: string | null;
                }[];
                keptTexts: {
                    languageCode: string | null;
                    fields: string[];
                }[];
                remarks: components["schemas"]["PlannedError"][];
            }[];
            leftOut: components["schemas"]["LeftOutFile"][];
            failed: {
                code: string;
                message: string;
                line?: number;
                column?: string;
                value?: string;
                path?: string;
                languageCode?: string;
                bookId?: string;
                slug?: string;
            }[];
        };
        ImportRules: {
            grouping?: ("auto" | "folder" | "name") | null;
            languageCode?: string | null;
            overwrite?: (0 | 1 | true | false) | null;
            sameBook?: (0 | 1 | true | false) | null;
            keepKnown?: (0 | 1 | true | false) | null;
        };
        ImportUndo: {
            archived: number;
            inactive: number;
            restored: number;
            kept: {
                bookId: string;
                slug: string;
                code: ("changed_since" | "content_gone" | "not_recorded") | string;
                reason: string;
            }[];
        };
        Job: {
            /** Format: uuid */
            id: string;
            kind: ("doctor" | "import") | string;
            status: ("running" | "done" | "failed" | "cancelled") | string;
            progress: {
                done: number;
                of: number;
            };
            /** Format: date-time */
            startedAt: string;
            finishedAt: string | null;
            result: components["schemas"]["DoctorReport"] | null;
            error: {
                code: string;
                message: string;
            } | null;
        };
        KnownFiles: {
            files: {
                sha256: string;
                /** Format: uuid */
                bookId: string;
                /** Format: uuid */
                fileId: string;
                languageCode: string;
                fileType: components["schemas"]["FileType"] | string;
            }[];
            replaced: {
                sha256: string;
                /** Format: uuid */
                bookId: string;
                /** Format: uuid */
                fileId: string;
                /** Format: date-time */
                until: string;
            }[];
            examined: string[];
        };
        Language: {
            id: number;
            code: string;
            name: string;
            nativeName: string;
            customDomain: string | null;
            legacyDownloadCount: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            direction: components["schemas"]["Direction"] | string;
            parentId: number | null;
            /** Format: date-time */
            updatedAt: string;
            emailConfirmation: (("off" | "optional" | "required") | string) | null;
            version: string;
        };
        LanguageCreation: {
            code: string;
            name?: string | null;
            nativeName?: string | null;
            customDomain?: string | null;
            parentId?: number | null;
            legacyDownloadCount?: number | null;
            isActive?: (0 | 1 | true | false) | null;
            direction?: components["schemas"]["Direction"] | null;
            emailConfirmation?: ("off" | "optional" | "required") | null;
        };
        LanguageDeletion: {
            mode?: ("preserve_analytics" | "delete_all") | null;
        };
        LanguageDownloadLink: {
            downloadUrl: string;
            booksCount: number;
            /** Format: date-time */
            expiresAt: string;
            filesCount: number;
            totalBytes: number;
            /** Format: email */
            emailSuggestion?: string;
            confirmation?: ("none" | "sent" | "required") | string;
        };
        LanguageDownloadRequest: {
            languageCode: string;
            contact: components["schemas"]["ContactForm"];
            consent?: components["schemas"]["ConsentForm"] | null;
            reader?: components["schemas"]["ReaderForm"] | null;
        };
        LanguageUpdate: {
            code?: string;
            name?: string;
            nativeName?: string;
            customDomain?: string | null;
            parentId?: number | null;
            legacyDownloadCount?: number;
            /** @enum {unknown} */
            isActive?: 0 | 1 | true | false;
            direction?: components["schemas"]["Direction"];
            emailConfirmation?: ("off" | "optional" | "required") | null;
        };
        LanguageUsage: {
            translations: number;
            files: number;
            publications: number;
            downloads: number;
        };
        LastDoctorReport: {
            report: components["schemas"]["DoctorReport"] | null;
            finishedAt: string | null;
        };
        LeftOutFile: {
            path: string;
            reason: string;
            code?: ("about_the_collection" | "book_gone" | "book_not_imported" | "books_inside" | "catalogue" | "content_unfit" | "content_unknown" | "correction_unfit" | "cover_of_no_book" | "cover_unusable" | "format_taken" | "hidden" | "language_unknown" | "left_out" | "name_taken" | "not_in_catalogue" | "other_type") | string;
            by?: string;
        };
        Library: {
            name: string;
            accentColor: string;
            contactFields: {
                lastName: ("off" | "optional" | "required") | string;
                phone: ("off" | "optional" | "required") | string;
                country: ("off" | "optional" | "required") | string;
            };
            offersAll: boolean;
            channelId: string | null;
            logo: components["schemas"]["LibraryLogo"] | null;
            version: string;
        };
        LibraryLogo: {
            sha256: string;
            width: number;
            height: number;
            fileSizeBytes: number;
        };
        LibraryTexts: {
            languageCode: string;
            name: string;
            introduction: string;
            footer: string;
            about: string;
            privacy: string;
            consent: string;
            consentVersion: string;
            fallback: {
                name: string;
                introduction: string;
                footer: string;
                about: string;
                privacy: string;
                consent: string;
                consentVersion: string;
            };
            version: string;
        };
        LibraryTextsUpdate: {
            name?: string | null;
            introduction?: string | null;
            footer?: string | null;
            about?: string | null;
            privacy?: string | null;
            consent?: string | null;
            consentVersion?: string | null;
        };
        LibraryUpdate: {
            name?: string | null;
            accentColor?: string;
            contactFields?: {
                lastName?: ("off" | "optional" | "required") | null;
                phone?: ("off" | "optional" | "required") | null;
                country?: ("off" | "optional" | "required") | null;
            };
            /** @enum {unknown} */
            offersAll?: 0 | 1 | true | false;
            channelId?: string | null;
        };
        ListedChannel: {
            /** Format: uuid */
            id: string;
            name: string;
            slug: string;
            description: string;
            url: string;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            bookUrl: string | null;
            sortOrder: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: string;
            publishedBooks: number;
        };
        ListedContact: components["schemas"]["Contact"] & {
            marketing: ("yes" | "no" | "withdrawn" | "conflict" | "unknown" | "pending") | string;
            marketingTextVersion: string | null;
            marketingAt: string | null;
        };
        ListedImport: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            ownerId: string;
            state: ("collecting" | "running" | "done" | "failed" | "cancelled") | string;
            jobId: string | null;
            archived: boolean;
            filesCount: number;
            progress: {
                files: number;
                books: number;
            };
            /** Format: date-time */
            createdAt: string;
            startedAt: string | null;
            finishedAt: string | null;
            error: {
                code: string;
                message: string;
            } | null;
            undo: components["schemas"]["ImportUndo"] | null;
            undoDays: number;
            undoableUntil: string | null;
        };
        ListedLanguage: {
            id: number;
            code: string;
            name: string;
            nativeName: string;
            customDomain: string | null;
            legacyDownloadCount: number;
            /** @enum {number} */
            isActive: 0 | 1;
            /** Format: date-time */
            createdAt: string;
            direction: components["schemas"]["Direction"] | string;
            parentId: number | null;
            /** Format: date-time */
            updatedAt: string;
            emailConfirmation: (("off" | "optional" | "required") | string) | null;
            version: string;
            suggestedParentId: number | null;
            booksCount: number;
            filesCount: number;
        };
        ListedSession: {
            /** Format: uuid */
            id: string;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            lastSeenAt: string;
            /** Format: date-time */
            expiresAt: string;
            ipAddress: string | null;
            browserName: string;
            osName: string;
            isCurrent: boolean;
        };
        LoginRequest: {
            /** Format: email */
            email: string;
            password: string;
        };
        MailStatus: {
            configured: boolean;
            waiting: number;
            sentLast24h: number;
            failedLast24h: number;
            lastError: string | null;
            held: number;
        };
        OpenApi: {
            openapi: string;
        } & {
            [key: string]: unknown;
        };
        OtherDownloads: {
            rows: number;
            totalDownloads: number;
            totalBooks: number;
            uniqueContacts: number;
        };
        Pagination: {
            page: number;
            limit: number;
            total: number;
            totalPages: number;
        };
        PasswordChangeRequest: {
            currentPassword: string;
            newPassword: string;
            revokeApiKeys?: (0 | 1 | true | false) | null;
        };
        PasswordReset: {
            /** Format: email */
            email: string;
            name: string;
            isInvitation: boolean;
            /** Format: date-time */
            expiresAt: string;
        };
        PasswordResetRequest: {
            /** Format: email */
            email: string;
        };
        PasswordResetRequested: {
            /** @constant */
            success: true;
        };
        PasswordSetting: {
            newPassword: string;
        };
        /** @enum {string} */
        Permission: "view_books" | "edit_books" | "view_languages" | "edit_languages" | "view_channels" | "edit_channels" | "view_contacts" | "edit_contacts" | "view_analytics" | "manage_api_keys" | "manage_settings" | "manage_users";
        PersonalEvent: components["schemas"]["ContactEvent"] & {
            ipAddress: string;
            browserVersion: string;
            osName: string;
            osVersion: string;
            referrer: string;
            utmSource: string | null;
            utmMedium: string | null;
            utmCampaign: string | null;
            fileName: string;
            redeemedAt: string | null;
            /** @enum {number} */
            isBot: 0 | 1;
        };
        PlannedBook: {
            slug: string;
            bookId: string | null;
            titleEn: string;
            status: ("create" | "update" | "unchanged" | "unsure") | string;
            files: {
                path: string;
                languageCode: string;
                fileType: components["schemas"]["FileType"] | string;
                fileName: string;
                title: string | null;
                status: ("create" | "replace" | "differs" | "unchanged" | "known") | string;
                knownAs?: ({
                    /** Format: uuid */
                    bookId: string;
                    /** Format: uuid */
                    fileId: string;
                    languageCode: string;
                } | {
                    path: string;
                })[];
                remarks: components["schemas"]["PlannedRemark"][];
            }[];
            covers: {
                path: string;
                languageCode: string | null;
            }[];
            coversCount: number;
            titleIsBorrowed: boolean;
            keptTexts: {
                languageCode: string | null;
                fields: string[];
            }[];
            errors: components["schemas"]["PlannedError"][];
        };
        PlannedError: {
            code: string;
            message: string;
            line?: number;
            column?: string;
            value?: string;
            path?: string;
            languageCode?: string;
            bookId?: string;
        };
        PlannedLanguage: {
            code: string;
            name: string;
            nativeName: string;
            direction: components["schemas"]["Direction"] | string;
            parentCode: string | null;
            customDomain?: string;
            legacyDownloadCount?: number;
            /** @enum {number} */
            isActive?: 0 | 1;
        };
        PlannedRemark: {
            code: ("language_differs" | "title_differs" | "isbn_differs" | "known_elsewhere" | "metadata_unreadable" | "cover_missing" | "metadata_pending") | string;
            found: string | null;
            expected: string | null;
            /** Format: uuid */
            bookId?: string;
            languageCode?: string;
            message: string;
        };
        Problem: components["schemas"]["Error"];
        PublicBook: {
            /** Format: uuid */
            id: string;
            slug: string;
            titleEn: string;
            title: string;
            description: string;
            languageCode: string | null;
            coverUrl: string;
            sortOrder: number;
            languages: string[];
            files: {
                /** Format: uuid */
                id: string;
                languageCode: string;
                fileType: components["schemas"]["FileType"] | string;
                fileName: string;
                fileSizeBytes: number;
            }[];
            authors: string[];
            tags: string[];
            series: {
                name: string;
                position: number | null;
            } | null;
            contributors: {
                name: string;
                role: string;
            }[];
            publisher: string | null;
            license: string | null;
            isbn: string | null;
            /** Format: date-time */
            publishedAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        PublicBookDetails: components["schemas"]["PublicBook"] & {
            translations: {
                languageCode: string;
                title: string;
                description: string;
                direction: components["schemas"]["Direction"] | string;
                authors: string[];
                contributors: {
                    name: string;
                    role: string;
                }[];
                publisher: string | null;
                license: string | null;
                isbn: string | null;
            }[];
        };
        PublicLanguage: {
            id: number;
            code: string;
            name: string;
            nativeName: string;
            direction: components["schemas"]["Direction"] | string;
            parentCode: string | null;
            customDomain: string | null;
            booksCount: number;
        };
        PublicationChange: {
            /** Format: uuid */
            bookId: string;
            /** Format: uuid */
            channelId: string;
            languageId?: number | null;
            languageCode?: string | null;
            /** @enum {unknown} */
            isPublished: 0 | 1 | true | false;
        } | {
            languageId: number;
        } | {
            languageCode: string;
        };
        PublicationChanges: {
            changes: components["schemas"]["PublicationChange"][];
        };
        PublicationGaps: {
            language: {
                id: number;
                code: string;
                name: string;
                /** @enum {number} */
                isActive: 0 | 1;
            };
            notOnAnyChannel: {
                /** Format: uuid */
                bookId: string;
                slug: string;
                titleEn: string;
            }[];
            withoutFile: {
                /** Format: uuid */
                bookId: string;
                slug: string;
                titleEn: string;
                channels: string[];
            }[];
            coverage: {
                /** Format: uuid */
                channelId: string;
                name: string;
                slug: string;
                published: number;
                publishable: number;
                percent: number | null;
            }[];
        };
        PublicationGrid: {
            channels: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
            }[];
            books: {
                /** Format: uuid */
                bookId: string;
                titleEn: string;
                title?: string;
                titleLanguageCode?: string;
                published: string;
                inherited?: string;
                own?: string;
                /** @enum {number} */
                available: 0 | 1;
            }[];
            pagination: components["schemas"]["Pagination"];
        };
        PublicationMatrix: {
            channels: {
                /** Format: uuid */
                id: string;
                name: string;
                slug: string;
            }[];
            books: {
                /** Format: uuid */
                id: string;
                titleEn: string;
                sortOrder: number;
                publications: {
                    [key: string]: boolean;
                };
                inherited?: string[];
            }[];
        };
        PublicationToggle: {
            /** Format: uuid */
            bookId: string;
            /** Format: uuid */
            channelId: string;
            languageId?: number | null;
            languageCode?: string | null;
            isPublished?: (0 | 1 | true | false) | null;
        } | {
            languageId: number;
        } | {
            languageCode: string;
        };
        PublicationToggled: {
            /** @constant */
            success: true;
            isPublished: boolean;
        };
        PublicationsChanged: {
            /** @constant */
            success: true;
            changed: number;
        };
        ReaderForm: {
            ipAddress?: string | null;
            userAgent?: string | null;
            referrer?: string | null;
        };
        Readiness: {
            /** @constant */
            status: "ready";
            /** Format: date-time */
            timestamp: string;
            reports: ("reading" | "ready") | string;
            clockOffsetSeconds?: number;
            unavailable?: (("database" | "files") | string)[];
        };
        RecentDownloads: {
            /** Format: date */
            startDate: string;
            /** Format: date */
            endDate: string;
            downloads: number;
            redeemed: number;
            books: number;
            contacts: number;
            previous: {
                /** Format: date */
                startDate: string;
                /** Format: date */
                endDate: string;
                downloads: number;
                redeemed: number;
                books: number;
                contacts: number;
            };
            change: {
                downloads: number | null;
                redeemed: number | null;
                books: number | null;
                contacts: number | null;
            };
        };
        RecordedConsent: {
            marketing: boolean;
            textVersion: string;
            languageCode: string;
            /** Format: date-time */
            givenAt: string;
            repeatedAt: string | null;
            source: ("form" | "administrator") | string;
            eventId: string | null;
            ipAddress: string | null;
            confirmation?: ("pending" | "confirmed") | string;
            formerAddress: boolean;
            administrator: string | null;
            text: string | null;
        };
        Remark: {
            code: ("language_differs" | "title_differs" | "isbn_differs" | "known_elsewhere" | "metadata_unreadable" | "cover_missing" | "metadata_pending") | string;
            found: string | null;
            expected: string | null;
            /** Format: uuid */
            bookId?: string;
            languageCode?: string;
        };
        RenewedDownloadLink: {
            downloadUrl: string;
            /** Format: date-time */
            expiresAt: string;
        };
        ReplacedContent: {
            sha256: string;
            fileName: string;
            fileSizeBytes: number;
            /** Format: date-time */
            replacedAt: string;
            replacedBy: string;
            /** Format: date-time */
            until: string;
        };
        /** @enum {string} */
        Role: "admin" | "editor" | "analyst" | "viewer";
        Session: {
            user: components["schemas"]["SessionUser"];
            /** Format: date-time */
            expiresAt: string;
        };
        SessionUser: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            name: string;
            role: components["schemas"]["Role"] | string;
            permissions: (components["schemas"]["Permission"] | string)[];
        };
        Settings: {
            geoipExists: boolean;
            geoipFileSize: number;
            geoipPath: string;
            geoipBuiltAt: string | null;
            nodeVersion: string;
            environment: string;
            appVersion: string;
            vendorKeyConfigured: boolean;
            lastBackupAt: string | null;
        };
        /** @enum {string} */
        SourceType: "local" | "google_drive" | "dropbox" | "onedrive" | "url";
        StopRequest: {
            undo?: (0 | 1 | true | false) | null;
        };
        SubLanguageBookOverride: {
            /** Format: uuid */
            bookId: string;
            slug: string;
            titleEn: string;
            isVisible: boolean;
            override: boolean | null;
            inherited: boolean;
        };
        SubLanguageBookOverrides: {
            overrides: {
                /** Format: uuid */
                bookId: string;
                isVisible: (0 | 1 | true | false) | null;
            }[];
        };
        Success: {
            /** @constant */
            success: true;
        };
        Translation: {
            /** Format: uuid */
            id: string;
            languageId: number;
            title: string;
            description: string | null;
            languageCode: string;
            authors: string[];
            contributors: {
                name: string;
                role: string;
            }[];
            publisher: string | null;
            license: string | null;
            isbn: string | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: string;
        };
        TranslationRequest: {
            title: string;
            description?: string | null;
            authors?: string[] | null;
            contributors?: {
                name: string;
                role?: string | null;
            }[] | null;
            publisher?: string | null;
            license?: string | null;
            isbn?: string | null;
            languageCode?: string | null;
            languageId?: number | null;
        } | {
            languageCode: string;
        } | {
            languageId: number;
        };
        User: {
            /** Format: uuid */
            id: string;
            /** Format: email */
            email: string;
            name: string;
            role: components["schemas"]["Role"] | string;
            permissions: (components["schemas"]["Permission"] | string)[];
            /** @enum {number} */
            isActive: 0 | 1;
            isInvited: boolean;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
        };
        UserCreation: {
            /** Format: email */
            email: string;
            name: string;
            password?: string | null;
            role: components["schemas"]["Role"];
            isActive?: (0 | 1 | true | false) | null;
            invite?: (0 | 1 | true | false) | null;
        };
        UserUpdate: {
            /** Format: email */
            email?: string;
            name?: string;
            password?: string;
            role?: components["schemas"]["Role"];
            /** @enum {unknown} */
            isActive?: 0 | 1 | true | false;
            /** @enum {unknown} */
            revokeApiKeys?: 0 | 1 | true | false;
            /** @enum {unknown} */
            invite?: 0 | 1 | true | false;
        };
        Webhook: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            events: (("download.requested" | "download.redeemed" | "contact.created" | "contact.confirmed" | "contact.consent_changed" | "contact.erased" | "book.changed" | "catalogue.changed" | "webhook.test") | string)[];
            includeContact: boolean;
            /** @enum {number} */
            isActive: 0 | 1;
            disabledReason: (("gone" | "failing" | "manual") | string) | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: string;
            lastDelivery: {
                /** Format: date-time */
                at: string;
                status: number | null;
            } | null;
            waiting: number;
        };
        WebhookCreated: {
            /** Format: uuid */
            id: string;
            name: string;
            url: string;
            events: (("download.requested" | "download.redeemed" | "contact.created" | "contact.confirmed" | "contact.consent_changed" | "contact.erased" | "book.changed" | "catalogue.changed" | "webhook.test") | string)[];
            includeContact: boolean;
            /** @enum {number} */
            isActive: 0 | 1;
            disabledReason: (("gone" | "failing" | "manual") | string) | null;
            /** Format: date-time */
            createdAt: string;
            /** Format: date-time */
            updatedAt: string;
            version: string;
            lastDelivery: {
                /** Format: date-time */
                at: string;
                status: number | null;
            } | null;
            waiting: number;
            secret: string;
        };
        WebhookCreation: {
            url: string;
            events: ("download.requested" | "download.redeemed" | "contact.created" | "contact.confirmed" | "contact.consent_changed" | "contact.erased" | "book.changed" | "catalogue.changed" | "webhook.test")[];
            name?: string | null;
            includeContact?: (0 | 1 | true | false) | null;
            isActive?: (0 | 1 | true | false) | null;
        };
        WebhookDelivery: {
            /** Format: uuid */
            id: string;
            event: ("download.requested" | "download.redeemed" | "contact.created" | "contact.confirmed" | "contact.consent_changed" | "contact.erased" | "book.changed" | "catalogue.changed" | "webhook.test") | string;
            state: ("waiting" | "delivered" | "failed" | "dropped") | string;
            attempts: number;
            lastAttemptAt: string | null;
            nextAttemptAt: string | null;
            httpStatus: number | null;
            error: string | null;
            durationMs: number | null;
        };
        WebhookSecret: {
            secret: string;
            /** Format: date-time */
            previousUntil: string;
        };
        WebhookUpdate: {
            url?: string;
            events?: ("download.requested" | "download.redeemed" | "contact.created" | "contact.confirmed" | "contact.consent_changed" | "contact.erased" | "book.changed" | "catalogue.changed" | "webhook.test")[];
            name?: string | null;
            /** @enum {unknown} */
            includeContact?: 0 | 1 | true | false;
            /** @enum {unknown} */
            isActive?: 0 | 1 | true | false;
        };
        WidgetTexts: {
            [key: string]: string | {
                [key: string]: string;
            };
        };
    };
    responses: {
        BadRequest: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        BadRequestWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        Unauthorized: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnauthorizedWithPage: {
            headers: {
                "WWW-Authenticate"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        Forbidden: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ForbiddenWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        RecordNotFound: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RecordNotFoundWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        Conflict: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        Gone: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        GoneWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        PreconditionFailed: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PreconditionFailedWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        PayloadTooLarge: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        PayloadTooLargeWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        UnsupportedMediaType: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        UnsupportedMediaTypeWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        RangeNotSatisfiable: {
            headers: {
                "Content-Range"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        RangeNotSatisfiableWithPage: {
            headers: {
                "Content-Range"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        TooManyRequests: {
            headers: {
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        TooManyRequestsWithPage: {
            headers: {
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        ServerError: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ServerErrorWithPage: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
        BadGateway: {
            headers: {
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ServiceUnavailable: {
            headers: {
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
            };
        };
        ServiceUnavailableWithPage: {
            headers: {
                "Retry-After"?: string;
                [name: string]: unknown;
            };
            content: {
                "application/problem+json": components["schemas"]["Problem"];
                "text/html": string;
            };
        };
    };
    parameters: {
        "If-Match": string;
        action: "create" | "update" | "delete" | "archive" | "restore" | "reorder" | "login" | "logout" | "login_failed" | "export" | "disclose" | "start" | "cancel";
        actorId: string;
        actorKind: "user" | "apiKey" | "system" | "unknown";
        author: string;
        bom: 0 | 1;
        bookIdOfAnalytics: string;
        bookIdOfBooks: string;
        bookIdOfContacts: string;
        channel: string;
        channelId: string;
        city: string;
        code: string;
        contactIdOfAnalytics: string;
        contactIdOfContacts: string;
        country: string;
        countryCode: string;
        delimiter: "comma" | "semicolon" | "tab";
        deviceType: "desktop" | "mobile" | "tablet" | "tv" | "console" | "bot" | "other";
        endDate: string;
        fileId: string;
        fileType: "pdf" | "epub" | "mobi" | "azw3" | "kepub" | "fb2" | "djvu" | "docx" | "odt" | "rtf" | "txt" | "html" | "cbz" | "mp3" | "m4b" | "zip";
        importId: string;
        includeBots: boolean;
        isRedeemed: boolean;
        jobId: string;
        key: string;
        langId: number;
        languageCodeOfBooks: string;
        languageCodeOfChannels: string;
        languageCodeOfCovers: "default" | string;
        languageCodeOfLibrary: string;
        languageIdOfAnalytics: number;
        languageIdOfChannels: number;
        languageIdOfContacts: number;
        limitOfAnalytics: number;
        limitOfPublic: number;
        marketing: "yes" | "no" | "withdrawn" | "conflict" | "unknown" | "pending";
        missing: "translation" | "file" | "cover";
        missingIn: string;
        objectId: string;
        objectKind: "book" | "translation" | "file" | "cover" | "language" | "channel" | "library" | "publication" | "visibility" | "user" | "apiKey" | "webhook" | "contact" | "downloadEvent" | "auditLog" | "job" | "import";
        page: number;
        publishedIn: string;
        raw: 0 | 1;
        requestId: string;
        searchOfAnalytics: string;
        searchOfContacts: string;
        searchOfPublic: string;
        series: string;
        sha256: string;
        slug: string;
        slugOrId: string;
        sort: "sortOrder" | "-sortOrder" | "title" | "-title" | "updatedAt" | "-updatedAt" | "createdAt" | "-createdAt" | "downloads" | "-downloads";
        startDate: string;
        status: "active" | "archived" | "all";
        tag: string;
        timezone: string;
        tokenOfAuthentication: string;
        tokenOfLibrarypages: string;
        tokenOfPublic: string;
        updatedSince: string;
        userId: string;
        utmCampaignOfAnalytics: string;
        utmCampaignOfContacts: string;
        utmMedium: string;
        utmSource: string;
        utm_campaign: string;
        utm_medium: string;
        utm_source: string;
        verified: boolean;
        webhookId: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listPublishedBooks: {
        parameters: {
            query?: {
                page?: components["parameters"]["page"];
                limit?: components["parameters"]["limitOfPublic"];
                languageCode?: string;
                channel?: string;
                search?: components["parameters"]["searchOfPublic"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        books: components["schemas"]["PublicBook"][];
                        pagination: components["schemas"]["Pagination"];
                        language: {
                            id: number;
                            code: string;
                            name: string;
                            nativeName: string;
                            direction: components["schemas"]["Direction"] | string;
                        } | null;
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getPublishedBook: {
        parameters: {
            query?: {
                languageCode?: string;
            };
            header?: never;
            path: {
                slugOrId: components["parameters"]["slugOrId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicBookDetails"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getPublishedCover: {
        parameters: {
            query?: {
                languageCode?: string;
                width?: 160 | 320 | 640 | 1200;
            };
            header?: never;
            path: {
                slugOrId: components["parameters"]["slugOrId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "image/avif": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    listPublicLanguages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        languages: components["schemas"]["PublicLanguage"][];
                    };
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    requestDownload: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DownloadRequest"];
                "application/x-www-form-urlencoded": {
                    /** Format: uuid */
                    bookId?: string;
                    slug?: string;
                    fileType?: components["schemas"]["FileType"];
                    /** Format: uuid */
                    fileId?: string;
                    languageCode: string;
                    /** Format: email */
                    email: string;
                    firstName: string;
                    lastName?: string | null;
                    phone?: string | null;
                    country?: string | null;
                    marketing?: string;
                    textVersion?: string;
                } & ({
                    /** Format: uuid */
                    bookId: string;
                } | {
                    slug: string;
                });
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DownloadLink"];
                };
            };
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            401: components["responses"]["UnauthorizedWithPage"];
            403: components["responses"]["ForbiddenWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            413: components["responses"]["PayloadTooLargeWithPage"];
            415: components["responses"]["UnsupportedMediaTypeWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    requestLanguageDownload: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageDownloadRequest"];
                "application/x-www-form-urlencoded": {
                    languageCode: string;
                    /** Format: email */
                    email: string;
                    firstName: string;
                    lastName?: string | null;
                    phone?: string | null;
                    country?: string | null;
                    marketing?: string;
                    textVersion?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LanguageDownloadLink"];
                };
            };
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            401: components["responses"]["UnauthorizedWithPage"];
            403: components["responses"]["ForbiddenWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            413: components["responses"]["PayloadTooLargeWithPage"];
            415: components["responses"]["UnsupportedMediaTypeWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    downloadFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["tokenOfPublic"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "application/epub+zip": unknown;
                    "application/x-mobipocket-ebook": unknown;
                    "application/vnd.amazon.ebook": unknown;
                    "application/x-fictionbook+xml": unknown;
                    "image/vnd.djvu": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                    "application/vnd.oasis.opendocument.text": unknown;
                    "application/rtf": unknown;
                    "text/plain": unknown;
                    "text/html": string;
                    "application/vnd.comicbook+zip": unknown;
                    "audio/mpeg": unknown;
                    "audio/mp4": unknown;
                    "application/zip": unknown;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/pdf": unknown;
                    "application/epub+zip": unknown;
                    "application/x-mobipocket-ebook": unknown;
                    "application/vnd.amazon.ebook": unknown;
                    "application/x-fictionbook+xml": unknown;
                    "image/vnd.djvu": unknown;
                    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": unknown;
                    "application/vnd.oasis.opendocument.text": unknown;
                    "application/rtf": unknown;
                    "text/plain": unknown;
                    "text/html": string;
                    "application/vnd.comicbook+zip": unknown;
                    "audio/mpeg": unknown;
                    "audio/mp4": unknown;
                    "application/zip": unknown;
                };
            };
            302: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            403: components["responses"]["ForbiddenWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            410: components["responses"]["GoneWithPage"];
            412: components["responses"]["PreconditionFailedWithPage"];
            416: components["responses"]["RangeNotSatisfiableWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            503: components["responses"]["ServiceUnavailableWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    renewDownloadLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["tokenOfPublic"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RenewedDownloadLink"];
                };
            };
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            410: components["responses"]["GoneWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    showMailStop: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    stopMail: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                key: components["parameters"]["key"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["StopRequest"];
                "application/x-www-form-urlencoded": {
                    undo?: string;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            413: components["responses"]["PayloadTooLargeWithPage"];
            415: components["responses"]["UnsupportedMediaTypeWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    showConfirmation: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["tokenOfPublic"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            410: components["responses"]["GoneWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    confirmAddress: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["tokenOfPublic"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ConfirmedAddress"];
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            410: components["responses"]["GoneWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getWidgetScript: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/javascript": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getWidgetTexts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WidgetTexts"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLibraryLanguages: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryList: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
                q?: string;
                page?: number;
                order?: "listed" | "newest" | "title";
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryBook: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    requestLibraryBook: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    fileType?: components["schemas"]["FileType"];
                    /** Format: uuid */
                    fileId?: string;
                    /** Format: email */
                    email: string;
                    firstName: string;
                    lastName?: string | null;
                    phone?: string | null;
                    country?: string | null;
                    marketing?: string;
                    textVersion?: string;
                };
            };
        };
        responses: {
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            403: components["responses"]["ForbiddenWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLargeWithPage"];
            415: components["responses"]["UnsupportedMediaTypeWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryWhole: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    requestLibraryWhole: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    /** Format: email */
                    email: string;
                    firstName: string;
                    lastName?: string | null;
                    phone?: string | null;
                    country?: string | null;
                    marketing?: string;
                    textVersion?: string;
                };
            };
        };
        responses: {
            303: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            403: components["responses"]["ForbiddenWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            413: components["responses"]["PayloadTooLargeWithPage"];
            415: components["responses"]["UnsupportedMediaTypeWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryAbout: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryPrivacy: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryBookReady: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
                token?: components["parameters"]["tokenOfLibrarypages"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
                slug: components["parameters"]["slug"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryWholeReady: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
                token?: components["parameters"]["tokenOfLibrarypages"];
            };
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getLibraryStyle: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLibraryPageLogo: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                hash: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLibraryFeed: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                code: components["parameters"]["code"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/atom+xml": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            308: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequestWithPage"];
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            412: components["responses"]["PreconditionFailedWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getSitemap: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getSitemapPart: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                number: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/xml": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getRobots: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getHomePage: {
        parameters: {
            query?: {
                utm_source?: components["parameters"]["utm_source"];
                utm_medium?: components["parameters"]["utm_medium"];
                utm_campaign?: components["parameters"]["utm_campaign"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            400: components["responses"]["BadRequestWithPage"];
            404: components["responses"]["RecordNotFoundWithPage"];
            429: components["responses"]["TooManyRequestsWithPage"];
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            default: components["responses"]["ServerErrorWithPage"];
        };
    };
    getHealth: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Health"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        status: "unavailable";
                        /** Format: date-time */
                        timestamp: string;
                    };
                };
            };
            default: components["responses"]["ServerError"];
        };
    };
    getReadiness: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Readiness"];
                };
            };
            400: components["responses"]["BadRequest"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getFavicon: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getReference: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/html": string;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getReferenceAsset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                asset: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/css": unknown;
                    "text/javascript": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getOpenApiDocument: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["OpenApi"];
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    runDoctor: {
        parameters: {
            query?: {
                deep?: boolean;
                cloud?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DoctorReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    startDoctorRun: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["DoctorRunRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLastDoctorReport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LastDoctorReport"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    cancelJob: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                jobId: components["parameters"]["jobId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Job"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    login: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LoginRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    logout: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getSession: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CurrentSession"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listSessions: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        sessions: components["schemas"]["ListedSession"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    endSession: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                sessionId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChangeRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        revokedApiKeys: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    requestPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordResetRequest"];
            };
        };
        responses: {
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetRequested"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["tokenOfAuthentication"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordReset"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            410: components["responses"]["Gone"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    setPasswordByLink: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                token: components["parameters"]["tokenOfAuthentication"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordSetting"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            404: components["responses"]["RecordNotFound"];
            410: components["responses"]["Gone"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    listBooks: {
        parameters: {
            query?: {
                page?: components["parameters"]["page"];
                limit?: components["parameters"]["limitOfPublic"];
                status?: components["parameters"]["status"];
                search?: components["parameters"]["searchOfPublic"];
                languageCode?: components["parameters"]["languageCodeOfBooks"];
                sort?: components["parameters"]["sort"];
                publishedIn?: components["parameters"]["publishedIn"];
                missing?: components["parameters"]["missing"];
                missingIn?: components["parameters"]["missingIn"];
                channel?: components["parameters"]["channel"];
                tag?: components["parameters"]["tag"];
                author?: components["parameters"]["author"];
                series?: components["parameters"]["series"];
                updatedSince?: components["parameters"]["updatedSince"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        books: components["schemas"]["AdminBook"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createBook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Book"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    exportBooks: {
        parameters: {
            query?: {
                status?: components["parameters"]["status"];
                search?: components["parameters"]["searchOfPublic"];
                languageCode?: components["parameters"]["languageCodeOfBooks"];
                sort?: components["parameters"]["sort"];
                publishedIn?: components["parameters"]["publishedIn"];
                missing?: components["parameters"]["missing"];
                missingIn?: components["parameters"]["missingIn"];
                channel?: components["parameters"]["channel"];
                tag?: components["parameters"]["tag"];
                author?: components["parameters"]["author"];
                series?: components["parameters"]["series"];
                updatedSince?: components["parameters"]["updatedSince"];
                bom?: components["parameters"]["bom"];
                raw?: components["parameters"]["raw"];
                delimiter?: components["parameters"]["delimiter"];
                timezone?: components["parameters"]["timezone"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getBook: {
        parameters: {
            query?: {
                preview?: "delete";
            };
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookDetails"] | components["schemas"]["DeletionImpact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateBook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        book: components["schemas"]["Book"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteBook: {
        parameters: {
            query?: {
                permanent?: boolean;
            };
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchBook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        book: components["schemas"]["Book"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getDeletionImpact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeletionImpact"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    previewBook: {
        parameters: {
            query: {
                languageCode: string;
            };
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookPreview"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    reorderBooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookOrder"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        books: components["schemas"]["BookPlace"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listBookLinks: {
        parameters: {
            query?: {
                languageCode?: string;
                channel?: string;
            };
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookLinks"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getBookQr: {
        parameters: {
            query: {
                languageCode: string;
                channel?: string;
                format?: "svg" | "png";
                size?: number;
            };
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/svg+xml": unknown;
                    "image/png": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    restoreBook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookRestored"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    runBookAction: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BookActionRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookActionResponse"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    bulkUpsertBooks: {
        parameters: {
            query?: {
                dryRun?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["BulkRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BulkAnswer"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    putTranslation: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["TranslationRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Translation"];
                };
            };
            201: {
                headers: {
                    Location?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Translation"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteTranslation: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                languageId: number;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    lookUpFiles: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileLookup"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["KnownFiles"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listFiles: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        files: components["schemas"]["BookFile"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    addFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    languageCode: string;
                    fileType?: components["schemas"]["FileType"];
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookFile"];
                };
            };
            201: {
                headers: {
                    Location?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    examineFile: {
        parameters: {
            query?: {
                importId?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ExaminedFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    addCloudFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["CloudFileCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BookFile"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    replaceFile: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                fileId: components["parameters"]["fileId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
                "application/octet-stream": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        file: components["schemas"]["BookFile"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteFile: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                fileId: components["parameters"]["fileId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FileDeleted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateFile: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                fileId: components["parameters"]["fileId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["FileUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        file: components["schemas"]["BookFile"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteReplacedFile: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                fileId: components["parameters"]["fileId"];
                sha256: components["parameters"]["sha256"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    planImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportPlanRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ImportPlan"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listImports: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        imports: components["schemas"]["ListedImport"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createImport: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ImportCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    cancelImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    startImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    undoImport: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                importId: components["parameters"]["importId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Import"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listAllCovers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        covers: components["schemas"]["CoverMetadata"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listCovers: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        covers: components["schemas"]["CoverMetadata"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getCover: {
        parameters: {
            query?: {
                width?: 160 | 320 | 640;
                fallback?: boolean;
            };
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                languageCode: components["parameters"]["languageCodeOfCovers"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "image/avif": unknown;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/jpeg": unknown;
                    "image/png": unknown;
                    "image/webp": unknown;
                    "image/avif": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            416: components["responses"]["RangeNotSatisfiable"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    putCover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                languageCode: components["parameters"]["languageCodeOfCovers"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
                "image/jpeg": unknown;
                "image/png": unknown;
                "image/webp": unknown;
                "image/gif": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        cover: components["schemas"]["CoverMetadata"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteCover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                languageCode: components["parameters"]["languageCodeOfCovers"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteReplacedCover: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                bookId: components["parameters"]["bookIdOfBooks"];
                languageCode: components["parameters"]["languageCodeOfCovers"];
                sha256: components["parameters"]["sha256"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listLanguages: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        languages: components["schemas"]["ListedLanguage"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createLanguage: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedLanguage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLanguageUsage: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                langId: components["parameters"]["langId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LanguageUsage"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateLanguage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                langId: components["parameters"]["langId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        language: components["schemas"]["Language"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteLanguage: {
        parameters: {
            query?: {
                mode?: "preserve_analytics" | "delete_all";
            };
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                langId: components["parameters"]["langId"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["LanguageDeletion"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchLanguage: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                langId: components["parameters"]["langId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LanguageUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        language: components["schemas"]["Language"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listSubLanguageBooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                langId: components["parameters"]["langId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        language: components["schemas"]["Language"];
                        books: components["schemas"]["SubLanguageBookOverride"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateSubLanguageBooks: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                langId: components["parameters"]["langId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SubLanguageBookOverrides"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        books: components["schemas"]["SubLanguageBookOverride"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listChannels: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        channels: components["schemas"]["ListedChannel"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createChannel: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Channel"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateChannel: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                channelId: components["parameters"]["channelId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        channel: components["schemas"]["Channel"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteChannel: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                channelId: components["parameters"]["channelId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchChannel: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                channelId: components["parameters"]["channelId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ChannelUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        channel: components["schemas"]["Channel"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getPublicationMatrix: {
        parameters: {
            query?: {
                languageId?: components["parameters"]["languageIdOfChannels"];
                languageCode?: components["parameters"]["languageCodeOfChannels"];
                fields?: "published";
                page?: number;
                limit?: number;
                search?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationMatrix"] | components["schemas"]["PublicationGrid"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    exportPublicationMatrix: {
        parameters: {
            query?: {
                languageId?: components["parameters"]["languageIdOfChannels"];
                languageCode?: components["parameters"]["languageCodeOfChannels"];
                bom?: components["parameters"]["bom"];
                raw?: components["parameters"]["raw"];
                delimiter?: components["parameters"]["delimiter"];
                timezone?: components["parameters"]["timezone"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getPublicationGaps: {
        parameters: {
            query?: {
                languageId?: components["parameters"]["languageIdOfChannels"];
                languageCode?: components["parameters"]["languageCodeOfChannels"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationGaps"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    togglePublication: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublicationToggle"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationToggled"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    changePublications: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PublicationChanges"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PublicationsChanged"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLibrary: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Library"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateLibrary: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LibraryUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        library: components["schemas"]["Library"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchLibrary: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LibraryUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        library: components["schemas"]["Library"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLibraryTexts: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                languageCode: components["parameters"]["languageCodeOfLibrary"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LibraryTexts"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateLibraryTexts: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                languageCode: components["parameters"]["languageCodeOfLibrary"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LibraryTextsUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        texts: components["schemas"]["LibraryTexts"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteLibraryTexts: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                languageCode: components["parameters"]["languageCodeOfLibrary"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getLibraryLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "image/png": unknown;
                };
            };
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    putLibraryLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": {
                    /** Format: binary */
                    file: Blob;
                };
                "image/jpeg": unknown;
                "image/png": unknown;
                "image/webp": unknown;
                "image/gif": unknown;
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        logo: components["schemas"]["LibraryLogo"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteLibraryLogo: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listApiKeys: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        apiKeys: components["schemas"]["ApiKey"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ApiKeyCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeyCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                keyId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listUsers: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        users: components["schemas"]["User"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createUser: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["User"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        user: components["schemas"]["User"];
                        revokedApiKeys: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchUser: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                userId: components["parameters"]["userId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["UserUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        user: components["schemas"]["User"];
                        revokedApiKeys: number;
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getAnalyticsSummary: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                includeBots?: components["parameters"]["includeBots"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        totals: {
                            downloads: number;
                            redeemed: number;
                            books: number;
                            contacts: number;
                            countries: number;
                        };
                        funnel: {
                            requested: number;
                            redeemed: number;
                            rate: number | null;
                        };
                        legacyDownloads: {
                            books: number;
                            languages: number;
                        };
                        today: components["schemas"]["RecentDownloads"];
                        last7Days: components["schemas"]["RecentDownloads"];
                        last30Days: components["schemas"]["RecentDownloads"];
                        topBooks: components["schemas"]["DownloadsOfBook"][];
                        topCountries: components["schemas"]["DownloadsOfCountry"][];
                        topLanguages: components["schemas"]["DownloadsOfLanguage"][];
                        devices: components["schemas"]["DownloadsOfDevice"][];
                        recentDownloads: components["schemas"]["DownloadEvent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    listDownloadEvents: {
        parameters: {
            query?: {
                page?: components["parameters"]["page"];
                limit?: components["parameters"]["limitOfPublic"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
                contactId?: components["parameters"]["contactIdOfAnalytics"];
                search?: components["parameters"]["searchOfAnalytics"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        downloads: components["schemas"]["DownloadEvent"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    exportDownloadEvents: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
                contactId?: components["parameters"]["contactIdOfAnalytics"];
                search?: components["parameters"]["searchOfAnalytics"];
                bom?: components["parameters"]["bom"];
                raw?: components["parameters"]["raw"];
                delimiter?: components["parameters"]["delimiter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getDownloadsByDate: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
                granularity?: "day" | "week" | "month" | "year";
                fill?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DownloadsOfPeriod"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getDownloadsByBook: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
                limit?: components["parameters"]["limitOfAnalytics"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DownloadsOfBook"][];
                        others?: components["schemas"]["OtherDownloads"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getDownloadsByCountry: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
                limit?: components["parameters"]["limitOfAnalytics"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DownloadsOfCountry"][];
                        others?: components["schemas"]["OtherDownloads"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getDownloadsByCampaign: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
                limit?: components["parameters"]["limitOfAnalytics"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        campaigns: components["schemas"]["DownloadsOfCampaign"][];
                        others?: components["schemas"]["OtherDownloads"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getDownloadsByLanguage: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DownloadsOfLanguage"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    getDownloadsByDevice: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                languageId?: components["parameters"]["languageIdOfAnalytics"];
                bookId?: components["parameters"]["bookIdOfAnalytics"];
                countryCode?: components["parameters"]["countryCode"];
                deviceType?: components["parameters"]["deviceType"];
                fileType?: components["parameters"]["fileType"];
                utmSource?: components["parameters"]["utmSource"];
                utmMedium?: components["parameters"]["utmMedium"];
                utmCampaign?: components["parameters"]["utmCampaignOfAnalytics"];
                isRedeemed?: components["parameters"]["isRedeemed"];
                includeBots?: components["parameters"]["includeBots"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        data: components["schemas"]["DownloadsOfDevice"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            503: components["responses"]["ServiceUnavailable"];
            default: components["responses"]["ServerError"];
        };
    };
    listAuditEntries: {
        parameters: {
            query?: {
                page?: components["parameters"]["page"];
                limit?: components["parameters"]["limitOfPublic"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                actorKind?: components["parameters"]["actorKind"];
                actorId?: components["parameters"]["actorId"];
                action?: components["parameters"]["action"];
                objectKind?: components["parameters"]["objectKind"];
                objectId?: components["parameters"]["objectId"];
                requestId?: components["parameters"]["requestId"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        entries: components["schemas"]["AuditEntry"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    exportAuditEntries: {
        parameters: {
            query?: {
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                actorKind?: components["parameters"]["actorKind"];
                actorId?: components["parameters"]["actorId"];
                action?: components["parameters"]["action"];
                objectKind?: components["parameters"]["objectKind"];
                objectId?: components["parameters"]["objectId"];
                requestId?: components["parameters"]["requestId"];
                bom?: components["parameters"]["bom"];
                raw?: components["parameters"]["raw"];
                delimiter?: components["parameters"]["delimiter"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listContacts: {
        parameters: {
            query?: {
                page?: components["parameters"]["page"];
                limit?: components["parameters"]["limitOfPublic"];
                search?: components["parameters"]["searchOfContacts"];
                country?: components["parameters"]["country"];
                city?: components["parameters"]["city"];
                languageId?: components["parameters"]["languageIdOfContacts"];
                bookId?: components["parameters"]["bookIdOfContacts"];
                utmCampaign?: components["parameters"]["utmCampaignOfContacts"];
                marketing?: components["parameters"]["marketing"];
                verified?: components["parameters"]["verified"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contacts: components["schemas"]["ListedContact"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    exportContacts: {
        parameters: {
            query?: {
                search?: components["parameters"]["searchOfContacts"];
                country?: components["parameters"]["country"];
                city?: components["parameters"]["city"];
                languageId?: components["parameters"]["languageIdOfContacts"];
                bookId?: components["parameters"]["bookIdOfContacts"];
                utmCampaign?: components["parameters"]["utmCampaignOfContacts"];
                marketing?: components["parameters"]["marketing"];
                verified?: components["parameters"]["verified"];
                startDate?: components["parameters"]["startDate"];
                endDate?: components["parameters"]["endDate"];
                timezone?: components["parameters"]["timezone"];
                bom?: 0 | 1;
                raw?: components["parameters"]["raw"];
                delimiter?: components["parameters"]["delimiter"];
                format?: "csv" | "listmonk" | "mailchimp";
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/csv": string;
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getContact: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contactId: components["parameters"]["contactIdOfContacts"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contact: components["schemas"]["Contact"];
                        consent: components["schemas"]["CurrentConsent"];
                        consents: components["schemas"]["RecordedConsent"][];
                        events: components["schemas"]["ContactEvent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateContact: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                contactId: components["parameters"]["contactIdOfContacts"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        contact: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    eraseContact: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                contactId: components["parameters"]["contactIdOfContacts"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchContact: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                contactId: components["parameters"]["contactIdOfContacts"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContactUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        contact: components["schemas"]["Contact"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    exportPersonalData: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                contactId: components["parameters"]["contactIdOfContacts"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        contact: components["schemas"]["Contact"];
                        consent: components["schemas"]["CurrentConsent"];
                        consents: components["schemas"]["Consent"][];
                        events: components["schemas"]["PersonalEvent"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listWebhooks: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        webhooks: components["schemas"]["Webhook"][];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookCreation"];
            };
        };
        responses: {
            201: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookCreated"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    deleteWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Success"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    patchWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-Match"?: components["parameters"]["If-Match"];
            };
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookUpdate"];
            };
        };
        responses: {
            200: {
                headers: {
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        /** @constant */
                        success: true;
                        webhook: components["schemas"]["Webhook"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            412: components["responses"]["PreconditionFailed"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WebhookSecret"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAccepted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    listWebhookDeliveries: {
        parameters: {
            query?: {
                page?: components["parameters"]["page"];
                limit?: components["parameters"]["limitOfPublic"];
                state?: "waiting" | "delivered" | "failed" | "dropped";
            };
            header?: never;
            path: {
                webhookId: components["parameters"]["webhookId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": {
                        deliveries: components["schemas"]["WebhookDelivery"][];
                        pagination: components["schemas"]["Pagination"];
                    };
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    resendWebhookDelivery: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                webhookId: components["parameters"]["webhookId"];
                deliveryId: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    Location?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DeliveryAccepted"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            404: components["responses"]["RecordNotFound"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    getSettings: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Settings"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
    updateGeoIp: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["GeoIpUpdate"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            409: components["responses"]["Conflict"];
            413: components["responses"]["PayloadTooLarge"];
            415: components["responses"]["UnsupportedMediaType"];
            429: components["responses"]["TooManyRequests"];
            500: components["responses"]["ServerError"];
            502: components["responses"]["BadGateway"];
            default: components["responses"]["ServerError"];
        };
    };
    getMailStatus: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["MailStatus"];
                };
            };
            400: components["responses"]["BadRequest"];
            401: components["responses"]["Unauthorized"];
            403: components["responses"]["Forbidden"];
            429: components["responses"]["TooManyRequests"];
            default: components["responses"]["ServerError"];
        };
    };
}
