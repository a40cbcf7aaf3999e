#if Gateway
/// Certificates that sign themselves, for `a.test` and `b.test`, until 2126, with their keys.
enum TestCertificates {
    static let a = """
        -----BEGIN CERTIFICATE-----
        MIIBjDCCATKgAwIBAgIUfJiZFYobm/5pw6qzActPRtd37ncwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGYS50ZXN0MCAXDTI2MTEyMzA5MzUyMloYDzIxMjYxMDMwMDkz
        NTIyWjARMQ8wDQYDVQQDDAZhLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AAS8lMxc9wKThBoKC2Ki4vfinVVNll/PkkpE6HUEfcPDm9SQ3utj4FPI2V7EHYhc
        RmN04uXp283jVtnJftxXLdjQo2YwZDAdBgNVHQ4EFgQUA6I3lgEfqaazV73KWSci
        XydJDTMwHwYDVR0jBBgwFoAUA6I3lgEfqaazV73KWSciXydJDTMwDwYDVR0TAQH/
        BAUwAwEB/zARBgNVHREECjAIggZhLnRlc3QwCgYIKoZIzj0EAwIDSAAwRQIgfzci
        VemvnwOj8ZPxrBHqakGUcNKTiimco8k462cfTkwCIQD4dWSOIomr8eHUy8dNdksY
        ksjLpkundpi/NCmH4qrcag==
        -----END CERTIFICATE-----
        """

    static let keyOfA = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgtfAjvT8JvNBLgUdM
        GqjS4GG7NktkStpiYiZdxpfslUWhRANCAAS8lMxc9wKThBoKC2Ki4vfinVVNll/P
        kkpE6HUEfcPDm9SQ3utj4FPI2V7EHYhcRmN04uXp283jVtnJftxXLdjQ
        -----END PRIVATE KEY-----
        """

    static let encryptedKeyOfA = """
        -----BEGIN EC PRIVATE KEY-----
        Proc-Type: 4,ENCRYPTED
        DEK-Info: AES-128-CBC,1CD1B59358B2E97BB1C9D8D66F1862D3

        Pht+Zx2nXKobG3GvBnQq1YFiX7crRfIfB9DAa77zBKJ0khJoAiABn4jlwQcThOr2
        KL22Hh9Y94GMjCCrxMS+6La+rYCvL6GF/VTNMHDfoO/KJxqfjLieLdGAbBTC9Suc
        Pm5Jb/FxREXtkXdiMvktpMLSasxYJn28yzxXfocy6I0=
        -----END EC PRIVATE KEY-----
        """

    static let b = """
        -----BEGIN CERTIFICATE-----
        MIIBizCCATKgAwIBAgIUdjCRTaD0Jwc7M4dKaNYgStas9QcwCgYIKoZIzj0EAwIw
        ETEPMA0GA1UEAwwGYi50ZXN0MCAXDTI2MTEyMzA5MzUyMloYDzIxMjYxMDMwMDkz
        NTIyWjARMQ8wDQYDVQQDDAZiLnRlc3QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNC
        AASSwfwuente7uKaYy6elRGi5X+ApfdK3OZ/FtgtKSv6P6EnRIX1hIXEIffzHO6c
        kEb1EJSAGNZVuezjPKn67mT4o2YwZDAdBgNVHQ4EFgQUtwM4O5hohh2AKeGlcDrV
        Ur2nBpcwHwYDVR0jBBgwFoAUtwM4O5hohh2AKeGlcDrVUr2nBpcwDwYDVR0TAQH/
        BAUwAwEB/zARBgNVHREECjAIggZiLnRlc3QwCgYIKoZIzj0EAwIDRwAwRAIgT0D3
        ECVTCusOEunbFDvCaxmxFTATiyyzwm+MSeg9c/QCIBUgRIjoNWhVEy7PlJXaIkf0
        BX6O5vtnoB5h8SR4K7tE
        -----END CERTIFICATE-----
        """

    static let keyOfB = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQg+IVBNjf65sLIfqcC
        TKJTe6OkTRvCzwYtAkLoOVa65V+hRANCAASSwfwuente7uKaYy6elRGi5X+ApfdK
        3OZ/FtgtKSv6P6EnRIX1hIXEIffzHO6ckEb1EJSAGNZVuezjPKn67mT4
        -----END PRIVATE KEY-----
        """

    /// Files for rules that name `a.pem`, `a.key` and so on.
    static let files = [
        "a.pem": a, "a.key": keyOfA, "a-encrypted.key": encryptedKeyOfA, "b.pem": b, "b.key": keyOfB,
        "passwords": "wrong\nsecret\n",
    ]
}
#endif
