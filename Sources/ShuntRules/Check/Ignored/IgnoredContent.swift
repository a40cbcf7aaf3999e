extension IgnoredDirectives {
    /// Directives that change or produce content.
    static let content: [IgnoredGroup] = [
        IgnoredGroup(
            .settings,
            .exactly(1),
            """
            add_before_body add_after_body autoindex_format min_delete_depth gzip_comp_level gzip_window
            gzip_hash postpone_gzipping gzip_min_length gzip_static image_filter_jpeg_quality
            image_filter_webp_quality image_filter_sharpen image_filter_buffer mirror mp4_buffer_size
            mp4_max_buffer_size slice ssi_min_file_chunk ssi_value_length xml_entities brotli_static
            brotli_comp_level brotli_window brotli_min_length
            """
        ),
        IgnoredGroup(
            .settings,
            .atLeast(1),
            """
            addition_types charset_types dav_methods gzip_types ssi_types sub_filter_types xslt_types
            brotli_types
            """
        ),
        IgnoredGroup(
            .settings,
            .flag,
            """
            autoindex_localtime autoindex_exact_size create_full_put_path gunzip gzip_no_buffer
            image_filter_transparency image_filter_interlace mirror_request_body mp4_start_key_frame
            ssi_silent_errors ssi_ignore_recycled_buffers ssi_last_modified sub_filter_once
            sub_filter_last_modified xml_external_entities xslt_last_modified
            """
        ),
        IgnoredGroup(
            [.settings, .ifInLocation],
            .exactly(1),
            "charset source_charset add_header_inherit add_trailer_inherit"
        ),
        IgnoredGroup([.settings, .ifInLocation], .flag, "override_charset gzip ssi brotli"),
        IgnoredGroup(.http, .exactly(2), "charset_map", hasBlock: true),
        IgnoredGroup(.settings, .between(1, 3), "dav_access"),
        IgnoredGroup(.location, .none, "empty_gif flv mp4"),
        IgnoredGroup(
            .settings,
            .exactly(2),
            "gunzip_buffers gzip_buffers sub_filter xslt_param xslt_string_param output_buffers brotli_buffers"
        ),
        IgnoredGroup([.settings, .ifInLocation], .between(1, 2), "expires"),
        IgnoredGroup([.settings, .ifInLocation], .between(2, 3), "add_trailer"),
        IgnoredGroup(.location, .between(1, 3), "image_filter"),
        IgnoredGroup(.location, .flag, "random_index"),
        IgnoredGroup([.server, .location], .between(0, 1), "stub_status"),
        IgnoredGroup(.location, .atLeast(1), "xslt_stylesheet"),
        IgnoredGroup(
            [.settings, .ifInLocation],
            .atLeast(1),
            "more_set_headers more_clear_headers",
            role: .ignored("use add_header")
        ),
    ]
}
